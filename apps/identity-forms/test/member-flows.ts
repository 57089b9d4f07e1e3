/** Two replicas and a public schema `member` for flows, beside `closed`, which is not public. */
import { type FormsClient } from './forms-client.js';
import { type FormsStack, openFormsStack } from './forms-stack.js';
import { MEMBER } from './traits.js';

export const SIGN_UP = { kind: 'sign-up', schema_id: 'member' };

const SETTINGS = { ALLOWED_RETURN_URLS: 'https://app.example.com/welcome' };

export class MemberFlows {
  private serial = 0;

  private constructor(
    readonly stack: FormsStack,
    readonly forms: FormsClient,
    readonly replica: FormsClient,
  ) {}

  static async start(): Promise<MemberFlows> {
    const stack = await openFormsStack();
    const { client: forms } = await stack.start(SETTINGS);
    const { client: replica } = await stack.start(SETTINGS);
    await forms.schema('member', MEMBER, { public: true });
    await forms.schema('closed', MEMBER);
    return new MemberFlows(stack, forms, replica);
  }

  /** An unused e-mail address. */
  address(): string {
    this.serial += 1;
    return `person${this.serial}@example.com`;
  }

  /** The number of identities. */
  async count(): Promise<number | undefined> {
    const [row] = await this.stack.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM forms.identities',
    );
    return row?.n;
  }
}
