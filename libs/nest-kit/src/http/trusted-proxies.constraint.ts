import {
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { type ClientAddressSource, parseNetwork } from '@gatehouse/kit/clients';

/** Accepts lists of networks in CIDR notation: `@Validate(AreNetworks)`. */
@ValidatorConstraint({ name: 'networks' })
export class AreNetworks implements ValidatorConstraintInterface {
  validate(networks: string[]): boolean {
    try {
      networks.forEach(parseNetwork);
      return true;
    } catch {
      return false;
    }
  }

  defaultMessage(): string {
    return 'must list networks in CIDR notation, such as 10.0.0.0/8';
  }
}

const HEADERS: readonly ClientAddressSource[] = ['x-forwarded-for', 'x-real-ip'];

/** For TRUSTED_PROXIES, beside a property `clientIpSource`. */
@ValidatorConstraint({ name: 'proxiesRequiredForHeader' })
export class ProxiesRequiredForHeader implements ValidatorConstraintInterface {
  validate(networks: string[], { object }: ValidationArguments): boolean {
    const { clientIpSource } = object as { clientIpSource: ClientAddressSource };
    return networks.length > 0 || !HEADERS.includes(clientIpSource);
  }

  defaultMessage(): string {
    return 'must list the proxies whose header CLIENT_IP_SOURCE names: it is read from no others';
  }
}
