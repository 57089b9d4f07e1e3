/** The authorization server of the fake Google: consent, code flow with PKCE, refresh, delegation. */
import {
  createHash,
  createVerify,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { GOOGLE_FAULTS, tokenRefusal } from './fake-google-faults.js';
import { type FakeAnswer } from './fake-server.js';

/** The account to which users and groups of the fake belong. */
const CUSTOMER_ID = 'C01fake';

interface Issued {
  scope: string;
  customerId: string;
}

interface IssuedCode extends Issued {
  challenge: string;
  redirectUri: string;
}

interface Assertion {
  iss?: string;
  sub?: string;
  scope?: string;
}

const TOKEN_SECONDS = 3_599;
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export class GoogleAccounts {
  readonly clientId = 'fake-client.apps.googleusercontent.com';
  readonly clientSecret = 'GOCSPX-fake-client-secret';
  readonly serviceAccountEmail = 'sync@fake-project.iam.gserviceaccount.com';
  /** The administrator who clicks "Cancel". */
  isConsentDenied = false;
  /** Each refresh brings a new refresh token and ends the old one. */
  rotatesRefreshTokens = false;
  /** False: codes are exchanged for an access token alone. */
  givesRefreshTokens = true;
  /** The account of the administrator who consents. */
  customerId = CUSTOMER_ID;
  private readonly codes = new Map<string, IssuedCode>();
  /** Access tokens with the time they end at. */
  private readonly accessTokens = new Map<string, { endsAt: number; customerId: string }>();
  private readonly refreshTokens = new Map<string, Issued>();
  private keys: { publicKey: KeyObject; privateKey: KeyObject } | undefined;

  /** The key file of a service account with domain-wide delegation. */
  serviceAccountKey(): string {
    this.keys ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
    return JSON.stringify({
      type: 'service_account',
      project_id: 'fake-project',
      client_email: this.serviceAccountEmail,
      private_key: this.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
  }

  /** Ends the access that administrators have given. */
  revokeConsents(): void {
    this.accessTokens.clear();
    this.refreshTokens.clear();
  }

  expireAccessTokens(): void {
    this.accessTokens.clear();
  }

  /** GET on the authorization endpoint: an administrator who consents at once. */
  authorize(query: URLSearchParams): FakeAnswer {
    const read = (name: string) => query.get(name) ?? '';
    const isValid =
      read('client_id') === this.clientId &&
      read('response_type') === 'code' &&
      read('code_challenge_method') === 'S256' &&
      read('access_type') === 'offline' &&
      URL.canParse(read('redirect_uri'));
    if (!isValid) return tokenRefusal(400, 'invalid_request', 'Error 400: invalid_request');
    const back = new URL(read('redirect_uri'));
    back.searchParams.set('state', read('state'));
    if (this.isConsentDenied) {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = `4/0${randomBytes(24).toString('base64url')}`;
      const [challenge, redirectUri] = [read('code_challenge'), read('redirect_uri')];
      this.codes.set(code, {
        challenge,
        redirectUri,
        scope: read('scope'),
        customerId: this.customerId,
      });
      back.searchParams.set('code', code);
      back.searchParams.set('scope', read('scope'));
    }
    return { status: 302, headers: { location: back.href } };
  }

  /** POST on the token endpoint. */
  token(form: URLSearchParams): FakeAnswer {
    if (form.get('grant_type') === JWT_BEARER) return this.delegate(form.get('assertion') ?? '');
    if (
      form.get('client_id') !== this.clientId ||
      form.get('client_secret') !== this.clientSecret
    ) {
      return tokenRefusal(401, 'invalid_client', 'The OAuth client was not found.');
    }
    switch (form.get('grant_type')) {
      case 'authorization_code':
        return this.exchange(form);
      case 'refresh_token':
        return this.refresh(form.get('refresh_token') ?? '');
      default:
        return tokenRefusal(400, 'unsupported_grant_type', 'Invalid grant_type');
    }
  }

  /** Why a request with this header is refused; undefined if it is not. */
  refusal(authorization: string | undefined): FakeAnswer | undefined {
    const { endsAt = 0 } = this.tokenOf(authorization) ?? {};
    return endsAt > performance.now() ? undefined : GOOGLE_FAULTS.unauthenticated;
  }

  /** The account that a request with this header reads. */
  customerOf(authorization: string | undefined): string {
    return this.tokenOf(authorization)?.customerId ?? CUSTOMER_ID;
  }

  private tokenOf(authorization: string | undefined) {
    return this.accessTokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
  }

  private exchange(form: URLSearchParams): FakeAnswer {
    const code = form.get('code') ?? '';
    const issued = this.codes.get(code);
    this.codes.delete(code);
    if (!issued) return tokenRefusal(400, 'invalid_grant', 'Malformed auth code.');
    if (issued.redirectUri !== form.get('redirect_uri')) {
      return tokenRefusal(400, 'redirect_uri_mismatch', 'Bad Request');
    }
    const verifier = form.get('code_verifier') ?? '';
    if (createHash('sha256').update(verifier).digest('base64url') !== issued.challenge) {
      return tokenRefusal(400, 'invalid_grant', 'Invalid code verifier.');
    }
    if (!this.givesRefreshTokens) return this.issue(issued);
    return this.issue(issued, this.newRefreshToken(issued));
  }

  private refresh(refreshToken: string): FakeAnswer {
    const issued = this.refreshTokens.get(refreshToken);
    if (issued === undefined) return GOOGLE_FAULTS.revoked;
    if (!this.rotatesRefreshTokens) return this.issue(issued);
    this.refreshTokens.delete(refreshToken);
    return this.issue(issued, this.newRefreshToken(issued));
  }

  private delegate(assertion: string): FakeAnswer {
    const [header = '', payload = '', signature = ''] = assertion.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Assertion;
    const isSigned =
      this.keys !== undefined &&
      createVerify('RSA-SHA256')
        .update(`${header}.${payload}`)
        .verify(this.keys.publicKey, signature, 'base64url');
    if (!isSigned || claims.iss !== this.serviceAccountEmail) {
      return tokenRefusal(400, 'invalid_grant', 'Invalid JWT Signature.');
    }
    if (!claims.sub) {
      const description = 'Client is unauthorized to retrieve access tokens using this method.';
      return tokenRefusal(401, 'unauthorized_client', description);
    }
    return this.issue({ scope: claims.scope ?? '', customerId: CUSTOMER_ID });
  }

  private issue({ scope, customerId }: Issued, refreshToken?: string): FakeAnswer {
    const accessToken = `ya29.fake-${randomBytes(24).toString('base64url')}`;
    const endsAt = performance.now() + TOKEN_SECONDS * 1_000;
    this.accessTokens.set(accessToken, { endsAt, customerId });
    return {
      body: {
        access_token: accessToken,
        expires_in: TOKEN_SECONDS,
        ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
        scope,
        token_type: 'Bearer',
      },
    };
  }

  private newRefreshToken({ scope, customerId }: Issued): string {
    const refreshToken = `1//fake-${randomBytes(24).toString('base64url')}`;
    this.refreshTokens.set(refreshToken, { scope, customerId });
    return refreshToken;
  }
}
