export interface EntraSettings {
  /** Empty: directories of Entra ID cannot be read. */
  clientId: string;
  clientSecret: string;
  loginUrl: string;
  /** With the version. */
  apiUrl: string;
}

export const ENTRA_DEFAULTS: EntraSettings = {
  clientId: '',
  clientSecret: '',
  loginUrl: 'https://login.microsoftonline.com',
  apiUrl: 'https://graph.microsoft.com/v1.0',
};
