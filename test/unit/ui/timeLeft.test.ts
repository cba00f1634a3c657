import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { redrawEveryMinute } from '../../../src/ui/timeLeft.ts';

describe('time left', () => {
  let view: { visible: boolean; onDidChangeVisibility: (listener: (event: { visible: boolean }) => void) => Ended };
  let turn: (visible: boolean) => void;
  let drawn: number;
  interface Ended {
    dispose(): void;
  }
  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    drawn = 0;
    turn = () => undefined;
    view = {
      visible: false,
      onDidChangeVisibility: (listener) => {
        turn = (visible) => listener({ visible });
        return {
          dispose: () => {
            turn = () => undefined;
          },
        };
      },
    };
  });
  afterEach(() => mock.timers.reset());
  const start = () => redrawEveryMinute(view, () => drawn++);

  it('is drawn once a minute while it is seen', () => {
    view.visible = true;
    const times = start();
    mock.timers.tick(5 * 60_000);
    assert.equal(drawn, 5);
    times.dispose();
  });

  it('is let be while nobody looks, and drawn at once when somebody does', () => {
    const times = start();
    mock.timers.tick(3_600_000);
    assert.equal(drawn, 0);
    turn(true);
    assert.equal(drawn, 1);
    mock.timers.tick(60_000);
    assert.equal(drawn, 2);
    turn(false);
    mock.timers.tick(3_600_000);
    assert.equal(drawn, 2);
    times.dispose();
  });

  it('leaves no timer behind', () => {
    view.visible = true;
    start().dispose();
    mock.timers.tick(3_600_000);
    turn(true);
    assert.equal(drawn, 0);
  });
});
