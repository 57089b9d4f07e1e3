import { type AuthorizationAnswer } from '@gatehouse/directory-sync';
import { type FastifyReply, type FastifyRequest } from 'fastify';

/** Injection token of LinkConsents; absent in a service without setup links. */
export const LINK_CONSENTS = Symbol('LINK_CONSENTS');

/** Ends the consents that setup links began. */
export interface LinkConsents {
  isOfSetup(answer: AuthorizationAnswer): boolean;
  finish(request: FastifyRequest, reply: FastifyReply, answer: AuthorizationAnswer): Promise<void>;
}
