import { errorCodes } from '@gatehouse/service-kit';

/** Errors of directory sync. Its HTTP bodies show status and message only. */
export const SyncErrors = errorCodes({
  CONTENDED: { kind: 'unavailable', message: 'The resource is changed by too many at once.' },
});
