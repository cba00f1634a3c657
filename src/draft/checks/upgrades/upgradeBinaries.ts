import type { Node } from 'jsonc-parser';
import type { Digest } from '../../../api/download.ts';
import { isFields } from '../../../chain/fields.ts';
import { parseJson } from '../../../chain/json.ts';
import { type Draft, isUpgrade, member } from '../../draftText.ts';
import { error, type Finding, hint, type Severity, warning } from '../../finding.ts';
import type { BinaryOutcome, UncheckedFileReason } from './upgradeFindings.ts';

/** A file that the info of an upgrade plan names. */
export interface NamedFile {
  /** `linux/amd64`, or `plan` for an address of the whole info. */
  readonly platform: string;
  readonly url: string;
  /** The first host that is asked. */
  readonly host: string;
  readonly checksum: Checksum | undefined;
}

/** A checksum that is stated in an address. */
export interface Checksum {
  readonly digest: Digest;
  /** Lower-case hexadecimal digits. */
  readonly digits: string;
}

/** An address that is not downloaded, with the reason. */
export interface UncheckedFile {
  readonly platform: string;
  readonly url: string;
  readonly reason: UncheckedFileReason;
}

/** The files that an upgrade plan names, with the place of its info. */
export interface PlanFiles {
  readonly info: Node;
  readonly files: readonly NamedFile[];
  readonly unchecked: readonly UncheckedFile[];
}

/** The files of a draft's upgrade plans. One entry for each plan with an info. */
export function plansIn(draft: Draft): readonly PlanFiles[] {
  return draft.actions.flatMap((action) => {
    const info = isUpgrade(action) ? member(member(action.node, 'plan')?.value, 'info')?.value : undefined;
    return info && typeof info.value === 'string' && info.value.trim() !== '' ? [{ info, ...filesIn(info.value) }] : [];
  });
}

/** The files of an info: JSON with addresses of binaries, or one address of such JSON (x/upgrade/plan/info.go). */
export function filesIn(info: string): Omit<PlanFiles, 'info'> {
  const text = info.trim();
  const read = parseJson(text);
  const binaries = isFields(read) && isFields(read.binaries) ? Object.entries(read.binaries) : undefined;
  const named = binaries ?? (text.startsWith('{') ? [] : [['plan', text] as const]);
  const all = named.map(([platform, url]) => readAddress(platform, String(url)));
  return {
    files: all.flatMap((one) => ('host' in one ? one : [])),
    unchecked: all.flatMap((one) => ('reason' in one ? one : [])),
  };
}

const lengths: readonly (readonly [digits: number, digest: Digest])[] = [
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [128, 'sha512'],
];

/**
 * Reads an address as go-getter (github.com/hashicorp/go-getter). It may force a getter (`git::…`), and some parameters
 * are for the getter.
 */
function readAddress(platform: string, url: string): NamedFile | UncheckedFile {
  const unchecked = (reason: UncheckedFileReason): UncheckedFile => ({ platform, url, reason });
  if (/^[a-z0-9]+::/i.test(url)) return unchecked('getter');
  const address = url.length > 8192 ? null : URL.parse(url);
  if (!address) return unchecked('address');
  if (address.protocol !== 'https:') return unchecked('scheme');
  const stated = address.searchParams.get('checksum');
  // These parameters are for the getter and are not sent to the server.
  for (const name of ['checksum', 'archive', 'filename']) address.searchParams.delete(name);
  address.username = '';
  address.password = '';
  address.hash = '';
  const found = { platform, url: address.href, host: address.host };
  if (stated === null) return { ...found, checksum: undefined };
  const [, kind, digits = ''] = /^(?:([a-z0-9]+):)?([0-9a-f]+)$/i.exec(stated) ?? [];
  const fitting = lengths.find(([length, digest]) => length === digits.length && (kind ?? digest) === digest);
  return fitting ? { ...found, checksum: { digest: fitting[1], digits: digits.toLowerCase() } } : unchecked('checksum');
}

/** A file of a plan, with the result of its check. */
export interface CheckedBinary {
  readonly platform: string;
  readonly url: string;
  readonly info: Node;
  readonly outcome: BinaryOutcome;
}

/** Downloads a file, computes its digest, and returns the text of a file that names others. See `Downloader.read`. */
export type ReadFile = (
  file: NamedFile,
  digest: Digest,
  keepsText: boolean,
) => Promise<{
  readonly digest: string;
  readonly bytes: number;
  readonly hosts: readonly string[];
  readonly text: string | undefined;
}>;

/** The parts that a check of binaries uses. */
export interface BinaryCheck {
  readonly read: ReadFile;
  /** Words a thrown error. */
  readonly reasonOf: (error: unknown) => string;
  /** Whether the hosts that a downloaded plan names may be asked as well. */
  readonly mayAsk: (hosts: readonly string[]) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/**
 * Reads all files of a draft's plans, one after the other, and compares their checksums. Rejects when `signal` fires.
 */
export async function checkBinaries(draft: Draft, check: BinaryCheck): Promise<readonly CheckedBinary[]> {
  const done: CheckedBinary[] = [];
  for (const plan of plansIn(draft)) await checkPlan(plan, check, done);
  return done;
}

async function checkPlan(plan: PlanFiles, check: BinaryCheck, done: CheckedBinary[]): Promise<void> {
  const { info } = plan;
  for (const file of plan.files) {
    const { platform, url } = file;
    const { outcome, text } = await checkFile(file, check);
    done.push({ platform, url, info, outcome });
    const inner = text === undefined ? undefined : filesIn(text);
    // A plan names binaries and not another plan.
    if (!inner || !text?.trim().startsWith('{')) continue;
    const hosts = [...new Set(inner.files.map(({ host }) => host))].filter((host) => host !== file.host);
    if (hosts.length === 0 || (await check.mayAsk(hosts))) await checkPlan({ info, ...inner }, check, done);
  }
  for (const { platform, url, reason } of plan.unchecked)
    done.push({ platform, url, info, outcome: { kind: 'unchecked', reason } });
}

async function checkFile(
  file: NamedFile,
  { read, reasonOf, signal }: BinaryCheck,
): Promise<{ readonly outcome: BinaryOutcome; readonly text?: string | undefined }> {
  signal.throwIfAborted();
  const { checksum } = file;
  try {
    const { digest, bytes, hosts, text } = await read(file, checksum?.digest ?? 'sha256', file.platform === 'plan');
    if (!checksum) return { outcome: { kind: 'read', found: digest, bytes, hosts }, text };
    if (digest === checksum.digits) return { outcome: { kind: 'matches', bytes, hosts }, text };
    return { outcome: { kind: 'differs', digest: checksum.digest, found: digest, hosts } };
  } catch (error) {
    signal.throwIfAborted();
    return { outcome: { kind: 'failed', reason: reasonOf(error) } };
  }
}

/**
 * Findings for checked files, the worst first: an error if a checksum differs, a warning if a file cannot be read,
 * otherwise a hint.
 */
export function binaryFindings(checked: readonly CheckedBinary[]): readonly Finding[] {
  const found = checked.map(({ platform, info, outcome }) => {
    const report = outcome.kind === 'differs' ? error : outcome.kind === 'failed' ? warning : hint;
    return report('upgrade-binary', info, { platform, outcome });
  });
  const of = (wanted: Severity): readonly Finding[] => found.filter(({ severity }) => severity === wanted);
  return [...of('error'), ...of('warning'), ...of('hint')];
}
