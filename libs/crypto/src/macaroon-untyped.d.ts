declare module 'macaroon';
