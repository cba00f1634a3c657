import { accountAddress, hexAddress } from '../sampleAddresses.ts';
import { content, contract, parameterChange, prose, spend, wasm } from '../sampleContents.ts';
import type { EndedDraft } from '../sampleTypes.ts';
import { failed } from './ended.ts';

/** Proposals that passed and could not be executed, the oldest first. */
export const failedDrafts = (): EndedDraft[] => notExecuted();

const notExecuted = () => [
  failed(
    spend(
      'Fund the interchain library',
      prose(
        'A library for reading packets, in three languages.',
        'The amount asked for was agreed in the forum before the pool was used for the audit.',
      ),
      'library',
      '98000000000000usample',
    ),
    [566, 780, 90, 120, 10],
  ),
  failed(
    wasm(
      'ExecuteContract',
      'Pay out the vault of season one',
      'Closes the vault and pays everybody who is still in it.',
      {
        run_as: accountAddress('vault council'),
        contract: contract('vault'),
        msg: { close: { season: 1, pay_out: true } },
        funds: [],
      },
    ),
    [402, 911, 60, 25, 4],
  ),
  failed(
    parameterChange(
      'Two hundred validators, zero entries',
      'Raises the limit of validators and drops the limit of unbonding entries.',
      ['staking', 'MaxValidators', '200'],
      ['staking', 'MaxEntries', '0'],
    ),
    [478, 640, 100, 230, 30],
  ),
  failed(
    wasm(
      'SudoContract',
      'Reset the price feed',
      'The feed stands still since the last upgrade; sudo resets its round counter.',
      { contract: contract('oracle'), msg: { reset_round: { to: '0' } } },
    ),
    [377, 802, 140, 50, 8],
  ),
  failed(
    content(
      '/evmos.erc20.v1.ToggleTokenConversionProposal',
      'Pause conversion of the old bridge token',
      'The pair was removed an upgrade ago, as it turned out afterwards.',
      { token: `0x${hexAddress('old bridge')}` },
    ),
    [430, 870, 90, 35, 5],
  ),
];
