import { isObject } from '@gatehouse/scim';

export interface ServiceAccount {
  clientEmail: string;
  privateKey: string;
}

export interface GoogleSettings {
  /** Empty: directories cannot be connected by consent. */
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  apiUrl: string;
  /** With domain-wide delegation, for directories that name an administrator. */
  serviceAccount: ServiceAccount | null;
}

export const GOOGLE_DEFAULTS: GoogleSettings = {
  clientId: '',
  clientSecret: '',
  authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  apiUrl: 'https://admin.googleapis.com',
  serviceAccount: null,
};

/**
 * Parses the key file that Google creates for a service account; null for an empty text.
 *
 * @throws Error whose message contains no part of the text
 */
export function asServiceAccount(text: string): ServiceAccount | null {
  if (text.trim() === '') return null;
  const { client_email: clientEmail, private_key: privateKey } = jsonObject(text);
  if (typeof clientEmail === 'string' && typeof privateKey === 'string') {
    return { clientEmail, privateKey };
  }
  throw new Error('must be the JSON key of a service account, with client_email and private_key');
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
