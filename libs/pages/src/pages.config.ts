/** Settings of services that show pages. */
import { asList, asText, Env } from '@gatehouse/kit/settings';
import { IsOptional, MaxLength, Validate } from 'class-validator';
import { accentFault } from './palette.js';
import { HasNoFault, IsReturnAddress } from './setting-rules.js';
import { NAME_CHARACTERS_MAX, type Theme, urlFault } from './theme.js';

/** Where pages may lead back to. */
export class ReturnUrlsConfig {
  @Env(
    'ALLOWED_RETURN_URLS',
    'Where pages may lead back to, comma-separated: the same origin, and the same path or below it; ' +
      '`:*` is any port, and `https://*:*` any https address. Empty: nowhere for forms, to any https URL for the portal and setup pages',
    asList,
  )
  @Validate(IsReturnAddress, { each: true })
  allowed: string[] = [];
}

/** The look and the links of pages; see [the theme](docs/identity-forms.md#theme). */
export class ThemeConfig implements Theme {
  @Env('THEME_NAME', 'The [theme](docs/identity-forms.md#theme) of pages: their name', asText)
  @IsOptional()
  @MaxLength(NAME_CHARACTERS_MAX)
  name?: string;

  @Env('THEME_LOGO_URL', 'Their logo', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  logo?: string;

  @Env('THEME_ACCENT', 'Their accent color, `#rrggbb`', asText)
  @IsOptional()
  @HasNoFault(accentFault)
  accent?: string;

  @Env('THEME_TERMS_URL', 'The terms that they link to', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  terms?: string;

  @Env('THEME_PRIVACY_URL', 'The privacy policy that they link to', asText)
  @IsOptional()
  @HasNoFault(urlFault)
  privacy?: string;
}
