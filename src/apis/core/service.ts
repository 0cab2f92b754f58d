import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { normalizeClusterIps } from '../defaults/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import { validateLoadBalancerStatus } from '../network-checks.ts';
import type { Service } from '../types/core-v1.ts';
import { nameIsDns1035Label } from '../validation/index.ts';
import { validateAddressChanges } from './service-addresses.ts';
import { needsHealthCheckNodePort } from './service-fields.ts';
import { dropFieldsOfOldType, dropGatedServiceFields, trimToSingleStack } from './service-update.ts';
import {
  validateExternalTrafficCombination,
  validateMixedProtocols,
  validateServiceSpec,
} from './service-validation.ts';

/**
 * Services. Addresses and node ports are given out by the server (`service-allocation.ts` says which), after
 * these rules accepted the object.
 */
export const serviceRules: KindRules<Service> = {
  hasStatus: true,
  isCheckedWithoutVersion: true,
  validateName: nameIsDns1035Label,
  prepareForCreate(service, { gates }) {
    service.status = { loadBalancer: {} };
    normalizeClusterIps(service);
    dropGatedServiceFields(service, undefined, gates);
  },
  prepareForUpdate(service, old, { gates }) {
    service.status = { ...old.status };
    normalizeClusterIps(service, old);
    dropGatedServiceFields(service, old, gates);
    dropFieldsOfOldType(service, old);
    trimToSingleStack(service, old);
  },
  validate: (service, context) => validateService(service, undefined, context),
  validateKept: validateAddressChanges,
  validateUpdate: (service, old, context) => validateService(service, old, context),
  validateLast: (service, old) => [
    ...validateExternalTrafficCombination(service),
    ...validateHealthCheckPortKept(service, old),
  ],
  status: {
    prepareForUpdate(service, old) {
      service.spec = old.spec;
    },
    validateUpdate: (service) => validateLoadBalancerStatus(service.status.loadBalancer.ingress),
  },
};

const validateService = (
  service: Service,
  old: Service | undefined,
  { dialect, gates, catalog }: RuleContext,
): FieldError[] => [
  ...validateServiceSpec(service, { dialect, gates }),
  ...validateMixedProtocols(service, old, { gates, catalog }),
];

/** The port that the load balancer asks stays as long as it is needed. */
function validateHealthCheckPortKept(service: Service, old: Service | undefined): FieldError[] {
  if (old === undefined || !needsHealthCheckNodePort(old) || !needsHealthCheckNodePort(service)) return [];
  const port = service.spec.healthCheckNodePort ?? 0;
  if (port === (old.spec.healthCheckNodePort ?? 0)) return [];
  const detail =
    'cannot change healthCheckNodePort on loadBalancer service with externalTraffic=Local during update';
  return [invalidValue(fieldPath('spec', 'healthCheckNodePort'), port, detail)];
}
