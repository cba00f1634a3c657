import assert from 'node:assert/strict';
import { encode } from 'gpt-tokenizer';
import { startQuestions, valueAt } from '../../fixtures/questions.ts';
import { startToolHost } from './toolHost.ts';

describe('questions to the tools', () => {
  it('get the exact answers that the sources themselves hold', async () => {
    const { addresses, questions, dispose } = await startQuestions();
    const { ask, dispose: close } = startToolHost(addresses);
    try {
      assert.equal(questions.length, 44);
      const sizes: number[] = [];
      for (const { text, tool, input, path, expected } of questions) {
        const answer = await ask(tool, input);
        assert.deepEqual(valueAt(answer, path), expected, `${text} (${tool}, ${path})`);
        sizes.push(encode(JSON.stringify(answer)).length);
      }
      sizes.sort((a, b) => a - b);
      const median = sizes[22] ?? 0;
      console.log(`      tokens of an answer: median ${median}, at most ${sizes.at(-1)}`);
      assert.ok(median < 1500, `the median answer has ${median} tokens`);
      assert.ok((sizes.at(-1) ?? 0) < 10_000);
    } finally {
      await close();
      await dispose();
    }
  });
});
