/**
 * Setup links: administrators of identity providers connect a directory themselves, on pages that guide
 * them. Nothing else needs this package: dsync-api loads it by `SetupModule`, with the controller of the
 * links and the native routes of the pages.
 *
 *     links/    links, their sessions, and what a session may do; services that throw a DomainError
 *     pages/    the pages below `/setup`, in four languages, without scripts
 *     guides/   how each provider is connected, as data: for the pages and for docs/providers
 *
 * A link is opened once, by the secret in its address. Then a cookie is the only credential. Each step reads
 * the state of the link from the database, so that a revocation ends the session on all replicas at once.
 */
export { createSetup, type Setup, type SetupOptions } from './links/create-setup.js';
export { type NewSetupLinkInput } from './links/setup-link.input.js';
export { SETUP_PATH, type SetupLinkRevocation } from './links/setup-links.js';
export { SetupRoutes } from './pages/setup.routes.js';
export { SetupModule } from './setup.module.js';
export { SETUP, type SetupConfig } from './setup.tokens.js';
