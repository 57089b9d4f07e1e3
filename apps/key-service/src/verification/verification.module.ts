/**
 * Verification: whether a credential is valid now, and for whom.
 *
 * The way of a credential:
 *
 *   verify-direct.ts, verification.routes.ts, authorize.routes.ts, keys-verify.controller.ts
 *     read the request, and write the answer (verification-result.ts)
 *   verification.service.ts   VerificationService.verify
 *     1. key-resolver.ts      the key that the credential belongs to, from memory or the store
 *     2. checks.ts            whether that key may be used now; limits and credits are charged
 *     3. usage/               what became of it is counted in memory, and written in the background; why a
 *                             key was refused, too
 *
 * A verification whose key is in memory is answered in the same turn, without a promise. Only the charge
 * of a limit or of credits beyond a lease waits for a store. Verification never throws: a fault is the
 * error INTERNAL.
 *
 * Errors (VERIFICATION_ERROR_...) in their order; the first one decides, and nothing after it runs:
 *
 *   INVALID_FORMAT, SIGNATURE_INVALID   the credential cannot be read (credentials/)
 *   NOT_FOUND                           no key confirms it; also after a wrong checksum, without a lookup
 *   REVOKED, EXPIRED, PAUSED            the key, or the parent of a derived token
 *   IP_NOT_ALLOWED                      the address is not in the networks of the key and of the token
 *   INSUFFICIENT_SCOPE                  a required scope is missing
 *   AUDIENCE_MISMATCH                   the credential is not for an audience that is expected
 *   RATE_LIMITED                        a limit refuses; then no limit is charged (limits/, ADR 0036)
 *   CREDITS_EXHAUSTED                   the balance is too low (store/credits, ADR 0037)
 *   INTERNAL                            a store that is needed cannot be reached
 *
 * In memory: keys by id and by the digest of their confirmed credential, for CACHE_TTL, dropped by a
 * message of the replica that changed one (store/cache, ADR 0011); unknown key ids, for 5 s; tokens whose
 * signature was checked (credentials/credential-reader.ts); leases of limits and credits, for a second.
 *
 * Without Redis: keys in memory are cleared once, because messages about changes may be lost, and read
 * again; a change by another replica is seen after CACHE_TTL at most. A limit without a lease refuses or
 * passes as its `on_error`, or RATE_LIMIT_ON_ERROR, says.
 *
 * Without PostgreSQL: keys in memory are verified until CACHE_TTL ends, everything else is INTERNAL. So
 * are keys with credits once their lease is spent. Counts and last uses wait in memory, within bounds.
 */
import { Module } from '@nestjs/common';
import { CacheModule } from '../store/cache/cache.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { CreditsModule } from '../store/credits/credits.module.js';
import { RateLimiter } from './limits/rate-limiter.js';
import { RecordsModule } from '../store/keys/records.module.js';
import { CreditNotices } from './usage/credit-notices.js';
import { KeyUsage } from './usage/key-usage.js';
import { LastUsed } from './usage/last-used.js';
import { RateLimitNotices } from './usage/rate-limit-notices.js';
import { RefusalLog } from './usage/refusal-log.js';
import { UsageModule } from './usage/usage.module.js';
import { Checks } from './checks.js';
import { FailureSampler } from './failure-sampler.js';
import { KeyResolver } from './key-resolver.js';
import { KeysVerifyController } from './keys-verify.controller.js';
import { VerificationMetrics } from './verification-metrics.js';
import { VerificationService } from './verification.service.js';

@Module({
  imports: [CacheModule, CreditsModule, CredentialsModule, RecordsModule, UsageModule],
  controllers: [KeysVerifyController],
  providers: [
    Checks,
    CreditNotices,
    FailureSampler,
    KeyResolver,
    KeyUsage,
    LastUsed,
    RateLimiter,
    RateLimitNotices,
    RefusalLog,
    VerificationMetrics,
    VerificationService,
  ],
  exports: [FailureSampler, KeyResolver, VerificationService],
})
export class VerificationModule {}
