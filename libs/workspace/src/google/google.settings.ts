export interface GoogleSettings {
  /** Empty: directories cannot be connected by consent. */
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  apiUrl: string;
  /** With domain-wide delegation, for directories that name an administrator. */
  serviceAccount: { clientEmail: string; privateKey: string } | null;
}
