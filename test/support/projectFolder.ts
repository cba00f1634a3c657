import { join } from 'node:path';

/** The top folder of the project. */
export const projectFolder = join(import.meta.dirname, '../..');
