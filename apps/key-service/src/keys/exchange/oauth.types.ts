/** Names that the token endpoint and its metadata share. */
export const TOKEN_EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const TOKEN_PATH = '/oauth/token';
