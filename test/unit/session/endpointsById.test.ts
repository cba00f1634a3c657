import assert from 'node:assert/strict';
import { endpointsById, toSource } from '../../../src/session/source.ts';

describe('endpoints by their addresses', () => {
  const endpoints = endpointsById([
    { name: 'First', url: 'https://node.example/', segment: 'cosmos' },
    { name: 'Second', url: 'HTTPS://node.example' },
    { name: 'File', url: 'file:///states/genesis.json' },
    { name: 'Broken', url: ' ftp://node.example ' },
  ]);

  it('lend a source the name and the options of the first with its address', () => {
    const source = toSource('https://node.example', endpoints, '');
    assert.ok(source.kind === 'http');
    assert.deepEqual([source.name, source.setting.segment], ['First', 'cosmos']);
    assert.equal(toSource('file:///states/genesis.json', endpoints, '').name, 'File');
    const past = toSource('https://node.example#height=5', endpoints, '');
    assert.deepEqual([past.kind, past.name], ['http', 'First']);
  });

  it('are found by the id of their source also where that cannot be opened', () => {
    const source = toSource(' ftp://node.example ', endpoints, '');
    assert.equal(source.kind, 'invalid');
    assert.equal(endpoints.get(source.id)?.name, 'Broken');
  });
});
