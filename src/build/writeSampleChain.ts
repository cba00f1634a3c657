import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleChainText } from './sampleChain.ts';

// Run by hand after a change of the generator; a test compares the committed file with what this writes.
writeFileSync(join(import.meta.dirname, '../../media/sampleChain.json'), sampleChainText());
