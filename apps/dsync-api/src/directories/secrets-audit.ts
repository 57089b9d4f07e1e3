import { type DirectoryView, type PageOf, type Result } from '@gatehouse/directory-sync';
import { adminEventOf } from '@gatehouse/kit/audit';
import { AdminCalls } from '@gatehouse/nest-kit/admin';
import { AuditWriter } from '@gatehouse/nest-kit/audit';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';

const TYPE = 'directory.secrets_read';

/** Audits each call that shows secrets. The call is answered only after its event is written. */
@Injectable()
export class SecretsAudit {
  constructor(
    private readonly calls: AdminCalls,
    private readonly audit: AuditWriter,
  ) {}

  async ofOne(request: FastifyRequest, result: Result<DirectoryView>) {
    if (result.data && hasSecrets(result.data)) {
      await this.record(request, { targetId: result.data.id });
    }
    return result;
  }

  async ofList(request: FastifyRequest, result: Result<DirectoryView[]>) {
    await this.recordList(request, result.data ?? []);
    return result;
  }

  async ofPage(request: FastifyRequest, result: Result<PageOf<DirectoryView>>) {
    await this.recordList(request, result.data?.items ?? []);
    return result;
  }

  private async recordList(request: FastifyRequest, directories: DirectoryView[]): Promise<void> {
    const ids = directories.filter(hasSecrets).map(({ id }) => id);
    if (ids.length > 0) await this.record(request, { details: { directory_ids: ids } });
  }

  private async record(
    request: FastifyRequest,
    shown: { targetId?: string; details?: { directory_ids: string[] } },
  ): Promise<void> {
    await this.audit.record(adminEventOf({ type: TYPE, ...shown }, this.calls.of(request)));
  }
}

function hasSecrets({ webhook, scim, ...directory }: DirectoryView): boolean {
  const { workspace_access_token: access, workspace_refresh_token: refresh } = directory;
  return [webhook.secret, scim.secret, access ?? '', refresh ?? ''].some((text) => text !== '');
}
