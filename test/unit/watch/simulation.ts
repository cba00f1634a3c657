import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { World } from './fakeClock.ts';
import { SimulatedChain } from './simulatedChain.ts';
import { SimulatedUser } from './simulatedWindow.ts';

export type Simulation = ReturnType<typeof startSimulation>;

/** Starts a world with one chain and one user, who has a folder on disk. */
export function startSimulation(begin: number, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const world = new World(begin);
  const clock = world.clock();
  const chain = new SimulatedChain(world, url);
  const user = new SimulatedUser(world, folder, [chain]);
  return {
    folder,
    world,
    clock,
    chain,
    user,
    /** Closes all windows. No error, timer or node may be left. */
    end: async () => {
      for (const window of [...user.windows]) await user.close(window);
      assert.deepEqual(user.errors, []);
      assert.equal(world.timers, 0);
      assert.equal(chain.disposed, chain.opened);
      rmSync(folder, { recursive: true });
    },
  };
}
