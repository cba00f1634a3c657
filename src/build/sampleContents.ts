import { accountAddress, base64Hash, contractAddress } from './sampleAddresses.ts';
import type { SampleContent } from './sampleTypes.ts';

const noTime = '0001-01-01T00:00:00Z';

/** Paragraphs with a blank line between them. */
export const prose = (...paragraphs: string[]) => paragraphs.join('\n\n');

/** Any content by its type, its two common fields and the rest. */
export const content = (
  type: string,
  title: string,
  description: string,
  fields: Readonly<Record<string, unknown>> = {},
): SampleContent => ({ '@type': type, title, description, ...fields });

export const text = (title: string, description: string) =>
  content('/cosmos.gov.v1beta1.TextProposal', title, description);

/** `changes`: subspace, key, and the value as the JSON text that the params module stores. */
export const parameterChange = (title: string, description: string, ...changes: [string, string, string][]) =>
  content('/cosmos.params.v1beta1.ParameterChangeProposal', title, description, {
    changes: changes.map(([subspace, key, value]) => ({ subspace, key, value })),
  });

/** `amounts`: `250000000usample`, in base units. */
export const spend = (title: string, description: string, recipient: string, ...amounts: string[]) =>
  content('/cosmos.distribution.v1beta1.CommunityPoolSpendProposal', title, description, {
    recipient: accountAddress(recipient),
    amount: amounts.map(coin),
  });

const coin = (word: string) => {
  const [, amount = '0', denom = ''] = /^(\d+)(.+)$/.exec(word) ?? [];
  return { denom, amount };
};

/** An upgrade plan whose `info` lists a binary per platform, as cosmovisor reads it. */
export const upgrade = (title: string, description: string, name: string, height: number) => {
  const binary = (platform: string) => {
    const sum = Buffer.from(base64Hash(`${name}/${platform}`), 'base64').toString('hex');
    return `https://downloads.example.org/sampled/${name}/sampled-${platform.replace('/', '-')}.tar.gz?checksum=sha256:${sum}`;
  };
  const platforms = ['linux/amd64', 'linux/arm64', 'darwin/arm64'];
  const info = JSON.stringify({ binaries: Object.fromEntries(platforms.map((name) => [name, binary(name)])) });
  return content('/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal', title, description, {
    plan: { name, time: noTime, height: String(height), info, upgraded_client_state: null },
  });
};

export const cancelUpgrade = (title: string, description: string) =>
  content('/cosmos.upgrade.v1beta1.CancelSoftwareUpgradeProposal', title, description);

export const clientUpdate = (title: string, description: string, subject: number, substitute: number) =>
  content('/ibc.core.client.v1.ClientUpdateProposal', title, description, {
    subject_client_id: `07-tendermint-${subject}`,
    substitute_client_id: `07-tendermint-${substitute}`,
  });

/** One of the wasm contents by its last word: `MigrateContract`. */
export const wasm = (word: string, title: string, description: string, fields: Readonly<Record<string, unknown>>) =>
  content(`/cosmwasm.wasm.v1.${word}Proposal`, title, description, fields);

/** An empty wasm module with a custom section that carries `name`: valid byte code that does nothing. */
export const byteCode = (name: string) => {
  const bytes = Buffer.from(name);
  const section = Buffer.from([0, bytes.length + 1, bytes.length, ...bytes]);
  return Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), section]).toString('base64');
};

export const everybody = { permission: 'ACCESS_TYPE_EVERYBODY', address: '' };
export const onlyAddress = (name: string) => ({
  permission: 'ACCESS_TYPE_ONLY_ADDRESS',
  address: accountAddress(name),
});
export const contract = contractAddress;
