import { pickLanguage, prefersPage, sendPage } from '@gatehouse/pages';
import { Describe } from '@gatehouse/nest-kit/openapi';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { IdentityFormsConfig } from '../config.js';
import { type FormsOperation, PAGE, VERSION_QUERY } from '../openapi/operation.js';
import { formPage } from '../pages/form.page.js';
import { SchemaCatalog } from '../schemas/schema-catalog.js';
import { readVersion } from '../schemas/schema.dto.js';
import { Themes } from './themes.js';
import { FlowAddress } from './flow-address.js';
import { formModel, modelJson, withoutBlankReadOnly } from './flow-view.js';

@Controller('v1/schemas')
export class FormPreviewController {
  constructor(
    private readonly catalog: SchemaCatalog,
    private readonly address: FlowAddress,
    private readonly themes: Themes,
    private readonly config: IdentityFormsConfig,
  ) {}

  @Get(':id/form')
  @Describe<FormsOperation>({
    id: 'getForm',
    summary: 'The empty form of a schema: its model, or the page by Accept',
    tag: 'Schemas',
    parameters: VERSION_QUERY,
    answer: { status: 200, description: 'The empty form.', schema: 'FormView', content: PAGE },
    errors: [400, 404],
  })
  async form(
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const schema = await this.catalog.get(id, readVersion(query));
    const language = pickLanguage(request.headers['accept-language']);
    const { timeZone } = this.config;
    const model = formModel(schema.plan, undefined, [], { language, timeZone });
    if (prefersPage(request.headers.accept)) {
      const { basePath } = this.address;
      const theme = this.themes.of(schema.plan);
      const page = formPage(withoutBlankReadOnly(model), { kind: 'sign-up', basePath, theme });
      sendPage(reply, page, { theme });
      return;
    }
    void reply
      .header('vary', 'Accept, Accept-Language')
      .send({ schema_id: schema.id, schema_version: schema.version, ...modelJson(model) });
  }
}
