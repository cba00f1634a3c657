import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Service from '../../src/service/service.ts';
import { projectFolder } from '../support/folders.ts';

/** The service as it is shipped, from dist/; the benchmarks build it first. */
export function loadService(): typeof Service {
  return createRequire(import.meta.url)(join(projectFolder, 'dist/service.cjs'));
}
