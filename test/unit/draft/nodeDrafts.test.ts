import assert from 'node:assert/strict';
import {
  cannotBeTold,
  countKinds,
  harmful,
  judgeDrafts,
  readDrafts,
  refusedByModules,
} from '../../node/draftAnswers.ts';
import { passingToHarm } from '../../node/messageDrafts.ts';
import { findingOf, reportOf } from './exampleDrafts.ts';

for (const version of ['0.46.16', '0.50.15', '0.53.8'] as const)
  describe(`drafts that a node of SDK ${version} was asked about`, () => {
    const recording = readDrafts(version);
    const verdicts = judgeDrafts(recording);
    const of = (kind: (typeof verdicts)[number]['kind']) => verdicts.filter((one) => one.kind === kind);

    it('are at least 400, and judged as the node did', () => {
      assert.ok(verdicts.length >= 400, `${verdicts.length}`);
      console.log(`      ${verdicts.length} drafts: ${countKinds(verdicts)}`);
      assert.deepEqual(
        of('wrong').map(({ answer, errors }) => `${answer.name}: ${answer.status} ${answer.message}, ours ${errors}`),
        [],
      );
      assert.ok(of('refused, an error').length > 300);
      // A node of SDK 0.46 refuses messages that are wrong in themselves, and has no MsgUpdateParams.
      const harmed = [...of('taken, harmful'), ...of('failed, an error'), ...of('passed, harmful')];
      assert.ok(harmed.length >= (version === '0.46.16' ? 2 : 50));
    });

    it('are without errors where nothing was made wrong', () => {
      const good = verdicts.filter(({ answer }) => !answer.name.includes(':'));
      assert.ok(good.length >= 10);
      for (const { answer, errors } of good) assert.deepEqual([answer.status, errors], [200, []], answer.name);
    });

    it('fail or do harm where the node took what we call an error', () => {
      const executed = verdicts.filter(({ answer }) => answer.executed !== undefined);
      for (const { answer, errors } of executed) {
        assert.ok(errors.length > 0, answer.name);
        if (answer.executed === 'proposal_failed') continue;
        // It passed: a parameter that the draft left out is zero now.
        assert.equal(answer.executed, 'proposal_passed', answer.name);
        assert.ok(Object.values(answer.after ?? {}).includes(false), answer.name);
      }
      const shown = new Set<string>([...executed.flatMap(({ errors }) => errors), ...refusedByModules]);
      const called = new Set(of('taken, harmful').flatMap(({ errors }) => errors));
      assert.deepEqual(
        [...called].filter((code) => !shown.has(code)),
        [],
      );
      assert.deepEqual(
        [...called].filter((code) => !harmful.has(code)),
        [],
      );
    });

    it('have values that a module refuses at the time that is said', () => {
      const said: string[] = [];
      const wrong = verdicts.flatMap(({ answer, errors }) => {
        const found = reportOf(answer.text, recording.facts).findings.filter(({ severity }) => severity === 'error');
        const isAboutValues = errors.every((code) => code === 'param-value' || code === 'param-order');
        if (!isAboutValues || found.length === 0) return [];
        return found.flatMap(({ details }) => {
          const time = 'fails' in details ? details.fails : '';
          said.push(time);
          return (time === 'submission') === (answer.status !== 200)
            ? []
            : [`${answer.name}: ${time} ${answer.status}`];
        });
      });
      assert.deepEqual(wrong, []);
      assert.ok(said.length >= 3, said.join());
      assert.deepEqual([...new Set(said)], [version === '0.46.16' ? 'submission' : 'execution']);
    });

    it('lack parameters that a module refuses as zero where the message failed', () => {
      let executed = 0;
      for (const { answer } of verdicts.filter(({ errors }) => errors.join() === 'params-incomplete')) {
        if (answer.executed === undefined) continue;
        executed++;
        const { details } = findingOf(answer.text, 'params-incomplete', recording.facts);
        const isRefused = 'missing' in details && details.missing.some((one) => one.isRefused);
        assert.equal(isRefused, answer.executed === 'proposal_failed', answer.name);
      }
      assert.ok(executed >= (version === '0.46.16' ? 0 : 8), `${executed}`);
    });

    it('cannot be told only where the reason is known', () => {
      for (const { answer } of of('refused, cannot be told'))
        assert.ok(
          cannotBeTold.some(([sentence]) => sentence.test(answer.message)),
          answer.message,
        );
      assert.ok(of('refused, cannot be told').length < 20);
    });
  });

for (const { name, least } of [
  { name: 'wasmd-0.61.14', least: 280 },
  { name: 'ibc-8.7.0', least: 29 },
] as const)
  describe(`drafts of messages that a node of ${name} decided`, () => {
    const recording = readDrafts(name);
    const verdicts = judgeDrafts(recording);
    const isTold = ({ message }: (typeof verdicts)[number]['answer']) =>
      cannotBeTold.some(([sentence]) => sentence.test(message));

    it('are many, and judged as the node did', () => {
      console.log(`      ${verdicts.length} drafts: ${countKinds(verdicts)}`);
      assert.ok(verdicts.length >= least, `${verdicts.length}`);
      assert.deepEqual(
        verdicts.filter(({ kind }) => kind === 'wrong').map(({ answer, errors }) => [answer, errors]),
        [],
      );
    });

    it('are without errors where they keep to the rules, and pass', () => {
      const good = verdicts.filter(({ answer }) => !answer.name.includes(':'));
      assert.ok(good.length >= least / 5, `${good.length}`);
      for (const { answer, errors } of good) {
        assert.deepEqual([answer.status, errors], [200, []], answer.name);
        assert.ok(answer.executed === 'proposal_passed' || isTold(answer), answer.name);
      }
    });

    it('are refused, fail or do harm where they break a rule', () => {
      for (const { answer, errors } of verdicts.filter(({ answer }) => answer.name.includes(':'))) {
        const isCarriedOut = answer.status === 200 && answer.executed === 'proposal_passed';
        assert.equal(isCarriedOut, passingToHarm.has(answer.name), answer.name);
        if (isCarriedOut) assert.ok(errors.length > 0, answer.name);
      }
    });

    it('fail at the time that is said', () => {
      for (const { answer } of verdicts) {
        const found = reportOf(answer.text, recording.facts).findings.filter(({ severity }) => severity === 'error');
        const said = found.flatMap(({ details }) => ('fails' in details ? [details.fails] : []));
        if (answer.status === 200) assert.ok(!said.includes('submission'), answer.name);
        else assert.ok(said.length === 0 || said.includes('submission'), answer.name);
      }
    });

    it('cannot be told only where the reason is known', () => {
      const untold = verdicts.filter(({ kind }) => kind.endsWith('cannot be told'));
      assert.ok(untold.length <= 5, untold.map(({ answer }) => answer.name).join());
    });
  });
