export { type Page, type PageRequest, PageTokens, readPageRequest } from './page-tokens.js';
