import { asJsonObject, asList, asText } from '../../base/index.ts';
import { asRecords, type Fields } from '../describe/report.ts';
import type { WireObject } from '../resource/api-object.ts';
import { conditionOf, nameOf } from '../why/finding.ts';

/** A program that the server calls, as an object of the cluster says it. */
export interface Callee {
  /** The object: `apiservice/v1.metrics.example`. */
  readonly about: string;
  /** Which of those that the object names, as a subject: `webhook h.example`. */
  readonly subject: string;
  /** Undefined when it is called by URL. */
  readonly service: CalledService | undefined;
  /** In base64; empty when authorities of the server's machine count. */
  readonly caBundle: string;
  /** False when its certificate may be anybody's. */
  readonly isVerified: boolean;
  /** True when requests fail that it cannot be asked about. */
  readonly isFatal: boolean;
  /** What follows when it cannot be called. */
  readonly effect: string;
}

export interface CalledService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

const defaultPort = 443;

/** What is called on account of an object, by `resource.group` of the object. */
export const calleeSources: Readonly<Record<string, (object: WireObject) => readonly Callee[]>> = {
  'validatingwebhookconfigurations.admissionregistration': webhooksOf,
  'mutatingwebhookconfigurations.admissionregistration': webhooksOf,
  'customresourcedefinitions.apiextensions': converterOf,
  'apiservices.apiregistration': extensionOf,
};

function webhooksOf(configuration: WireObject): readonly Callee[] {
  return asRecords(configuration.webhooks).map(({ name, clientConfig, failurePolicy, rules }) => {
    const isFatal = failurePolicy !== 'Ignore';
    return {
      ...clientOf(asJsonObject(clientConfig)),
      about: nameOf(configuration),
      subject: `webhook ${asText(name)}`,
      isFatal,
      effect: isFatal ? `${requestsOf(asRecords(rules))} are refused` : 'it is passed over',
    };
  });
}

/** `requests to create, update pods`, by the first rule. */
function requestsOf([first, ...others]: readonly Fields[]): string {
  if (first === undefined) return 'requests that it is for';
  const operations = textsOf(first.operations).map((operation) => operation.toLowerCase());
  const resources = textsOf(first.resources);
  const verbs = operations.includes('*') ? 'change' : operations.join(', ');
  const isAny = resources.some((resource) => resource === '*' || resource === '*/*');
  const more = others.length === 0 ? '' : `, and those of ${others.length} more rules,`;
  return `requests to ${verbs} ${isAny ? 'anything' : resources.join(', ')}${more}`;
}

const textsOf = (value: unknown): string[] => asList(value).map(asText);

function converterOf(definition: WireObject): readonly Callee[] {
  const { conversion, versions } = asJsonObject(definition.spec);
  const { strategy, webhook } = asJsonObject(conversion);
  if (strategy !== 'Webhook') return [];
  return [
    {
      ...clientOf(asJsonObject(asJsonObject(webhook).clientConfig)),
      about: nameOf(definition),
      subject: 'its conversion webhook',
      isFatal: asRecords(versions).filter(({ served }) => served === true).length > 1,
      effect: 'its objects can be had in the version only that they are stored in',
    },
  ];
}

function extensionOf(extension: WireObject): readonly Callee[] {
  const { service, caBundle, insecureSkipTLSVerify, group, version } = asJsonObject(extension.spec);
  if (service === undefined || service === null) return [];
  // That it does not answer is in its conditions, with the server's reason.
  const isKnown = conditionOf(extension, 'Available')?.status === 'False';
  return [
    {
      ...clientOf({ service: isKnown ? undefined : service, caBundle }),
      about: nameOf(extension),
      subject: 'it',
      isVerified: insecureSkipTLSVerify !== true,
      isFatal: true,
      effect: `${asText(group)}/${asText(version)} is not served, and namespaces cannot be deleted`,
    },
  ];
}

function clientOf({ service, caBundle }: Fields): Pick<Callee, 'service' | 'caBundle' | 'isVerified'> {
  const { namespace, name, port } = asJsonObject(service);
  return {
    service:
      service === undefined || service === null
        ? undefined
        : {
            namespace: asText(namespace),
            name: asText(name),
            port: typeof port === 'number' ? port : defaultPort,
          },
    caBundle: asText(caBundle),
    isVerified: true,
  };
}
