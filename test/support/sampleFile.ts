import { join } from 'node:path';

/** The state file of the sample chain. */
export const sampleFile = join(import.meta.dirname, '../../media/sampleChain.json');
