import { errorCodes } from '@gatehouse/service-kit';

/** Errors of directory sync. Its HTTP bodies show status and message only. */
export const SyncErrors = errorCodes({
  TOO_MANY_SEARCHES: {
    kind: 'rate_limited',
    message: 'The directory has too many searches at once.',
  },
  PROVIDER_FAILED: {
    kind: 'bad_gateway',
    message: 'The provider of the workspace directory refused or did not answer.',
  },
  CONTENDED: { kind: 'unavailable', message: 'The resource is changed by too many at once.' },
});
