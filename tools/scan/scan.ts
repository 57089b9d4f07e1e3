import { createHash } from 'node:crypto';
import { basename, relative } from 'node:path';
import { previewOfIssuedSecret } from '@gatehouse/crypto';
import { reasonOf, StackFault } from '#local-stack/fault.mjs';
import { type Progress } from '#local-stack/progress.mjs';
import { type JsonApi } from '../import/http-json.js';
import { filesBelow, secretsIn, type WalkOptions } from './files.js';
import { type FoundSecret, SecretFinder } from './secret-finder.js';
import { type SecretFormat } from './settings.js';

export interface ScanOptions {
  readonly roots: readonly string[];
  readonly format: SecretFormat;
  /** Where to report; undefined for nowhere. */
  readonly api: JsonApi | undefined;
  readonly url: string;
  readonly isAll: boolean;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

interface KnownSecret extends FoundSecret {
  /** The first places; others are only counted. */
  readonly places: string[];
  count: number;
}

interface LeakResult {
  is_exposed: boolean;
  key_id: string;
  status: string;
}

const SECRET = /_v1_[1-9A-HJ-NP-Za-km-z]{16,}_[1-9A-HJ-NP-Za-km-z]{16,}/g;
const PROGRESS_MS = 5_000;
const SECRETS_MAX = 10_000;
const PLACES_MAX = 10;
const FAULTS_SHOWN = 20;
const REPORTS_MAX = 100;
const URL_CHARACTERS_MAX = 2_048;

/** @returns the exit code */
export async function scan(options: ScanOptions): Promise<number> {
  const { format, progress } = options;
  const checked = format.ring ? 'checked' : 'not checked here: HMAC_SECRETS is not set';
  progress.say(`Prefixes: ${format.prefixes.join(', ')}. Checksums are ${checked}.`);
  const search = new Search(options);
  await search.run();
  const secrets = [...search.secrets.values()];
  const isReal = options.api ? await report(secrets, options, options.api) : secrets.length > 0;
  if (isReal) return 1;
  return search.faults > 0 ? 3 : 0;
}

class Search {
  /** By digest. */
  readonly secrets = new Map<string, KnownSecret>();
  faults = 0;
  private files = 0;
  private leftOut = 0;
  private bytes = 0;

  constructor(private readonly options: ScanOptions) {}

  async run(): Promise<void> {
    const { roots, progress } = this.options;
    const timer = setInterval(() => progress.say(`  … ${this.summary()}`), PROGRESS_MS);
    try {
      for (const root of roots) await this.search(root);
    } finally {
      clearInterval(timer);
    }
    const found = [...this.secrets.values()].reduce((sum, { count }) => sum + count, 0);
    const what = `${counted(this.secrets.size, 'secret')} in ${counted(found, 'place')}`;
    progress.say(`${this.summary()}: ${found === 0 ? 'nothing found' : what}`);
    if (this.leftOut > 0) progress.say(`Left out: ${counted(this.leftOut, 'binary file')}`);
    if (this.faults > 0) progress.say(`Could not be read: ${this.faults}`);
  }

  private async search(root: string): Promise<void> {
    const { format, isAll, signal } = this.options;
    const finder = new SecretFinder(format.prefixes, format.ring);
    const onFault: WalkOptions['onFault'] = (path, error) => this.note(root, path, error);
    const walking = { isAll, signal, onFault };
    try {
      for await (const path of filesBelow(root, walking)) {
        const onFound = (found: FoundSecret) => this.add(root, path, found);
        try {
          const bytes = await secretsIn(path, finder, walking, onFound);
          if (bytes === undefined) this.leftOut += 1;
          else this.files += 1;
          this.bytes += bytes ?? 0;
        } catch (error) {
          signal.throwIfAborted();
          if (error instanceof StackFault) throw error;
          onFault(path, error as NodeJS.ErrnoException);
        }
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new StackFault(`There is no ${root}`, undefined, 2);
    }
  }

  private add(root: string, path: string, found: FoundSecret): void {
    const place = `${shownPath(root, path)}:${found.line}`;
    this.options.progress.say(
      `${place}  ${previewOfIssuedSecret(found.secret)}  key ${found.keyId}`,
    );
    const digest = createHash('sha256').update(found.secret).digest('base64');
    const known = this.secrets.get(digest) ?? { ...found, places: [], count: 0 };
    known.count += 1;
    if (known.places.length < PLACES_MAX) known.places.push(place);
    this.secrets.set(digest, known);
    if (this.secrets.size >= SECRETS_MAX) {
      throw new StackFault(`${SECRETS_MAX} secrets were found; scan a smaller folder`);
    }
  }

  private note(root: string, path: string, error: NodeJS.ErrnoException): void {
    this.faults += 1;
    if (this.faults > FAULTS_SHOWN) return;
    const reason = error.code ?? reasonOf(error);
    this.options.progress.say(`${shownPath(root, path)}  could not be read: ${reason}`);
  }

  private summary(): string {
    const megabytes = (this.bytes / 1e6).toFixed(1);
    return `${counted(this.files, 'file')}, ${megabytes} MB, ${this.options.progress.elapsed()}`;
  }
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Relative to the folder, without what a name may contain: a secret, or commands for the terminal. */
function shownPath(root: string, path: string): string {
  const shown = relative(root, path) || basename(path);
  return shown.replaceAll(SECRET, '…').replaceAll(/\p{C}/gu, '?');
}

/** Of a file and its line, below the address of the folder. */
export function addressOf(place: string): string {
  const path = encodeURI(place).replaceAll('?', '%3F').replaceAll('#', '%23');
  return path.replace(/:(\d+)$/, '#L$1');
}

/** @returns whether one of them is a secret of the service */
async function report(
  secrets: readonly KnownSecret[],
  { url, progress }: ScanOptions,
  api: JsonApi,
): Promise<boolean> {
  const requests = secrets.flatMap(({ secret, places }) =>
    places.map((place) => ({
      credential: secret,
      source: 'scan',
      url: (url + addressOf(place)).slice(0, URL_CHARACTERS_MAX),
    })),
  );
  const seen = new Map<string, LeakResult>();
  const say = (secret: string, { is_exposed: isExposed, key_id: id, status }: LeakResult) => {
    if (seen.has(secret)) return;
    const what = isExposed ? `reported: key ${id} is ${status}` : 'is no secret of this service';
    progress.say(`${previewOfIssuedSecret(secret)}  ${what}`);
  };
  for (let from = 0; from < requests.length; from += REPORTS_MAX) {
    const part = requests.slice(from, from + REPORTS_MAX);
    const { body } = await api.post('/v2alpha1/admin/apiKeys:reportLeaks', { requests: part });
    const { results } = body as { results: LeakResult[] };
    for (const [index, result] of results.entries()) {
      const secret = part[index]?.credential ?? '';
      say(secret, result);
      seen.set(secret, result);
    }
  }
  return [...seen.values()].some(({ is_exposed: isExposed }) => isExposed);
}
