/** Members of JSON and forms that hold a secret, in requests and answers of every service. */
const SECRET_MEMBERS: ReadonlySet<string> = new Set([
  'secret',
  'webhook_secret',
  'raw_key',
  'credential',
  'access_token',
  'subject_token',
  'token',
  'csrf_token',
]);
const SECRET_SETTING = /SECRETS?$|KEYS?$/;
/** Shorter texts occur in logs by chance. */
const SECRET_LENGTH_MIN = 13;

/** Collects the secrets of a test, so that the logs can be searched for them at its end. */
export class SecretRecorder {
  private readonly secrets = new Set<string>();

  add(secret: string): void {
    if (secret.length >= SECRET_LENGTH_MIN) this.secrets.add(secret);
  }

  /** Adds the credential of `authorization` and the values of cookies. */
  addHeaders(headers: Readonly<Record<string, string>>): void {
    this.add(headers.authorization?.split(' ').at(-1) ?? '');
    for (const cookie of headers.cookie?.split(';') ?? []) {
      this.add(cookie.slice(cookie.indexOf('=') + 1));
    }
  }

  /** Adds the texts in members that hold a secret, at any depth. */
  addMembers(value: unknown): void {
    if (value instanceof URLSearchParams) {
      this.addMembers(Object.fromEntries(value));
    } else if (Array.isArray(value)) {
      for (const item of value) this.addMembers(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (typeof member === 'string' && SECRET_MEMBERS.has(name)) this.add(member);
        else this.addMembers(member);
      }
    }
  }

  /** Adds the values of settings that hold keys or secrets. */
  addSettings(settings: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(settings)) {
      if (SECRET_SETTING.test(name)) value.split(',').forEach((secret) => this.add(secret));
    }
  }

  /** @returns the secrets that occur in `text` */
  findIn(text: string): string[] {
    return [...this.secrets].filter((secret) => text.includes(secret));
  }
}
