/**
 * Policies written with a library of others (`pepr`), as a process of its own that answers AdmissionReviews: what
 * `policy-process.ts` starts. Arguments: the folder where the library is installed, and a port.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What the policies use of the library, which is no dependency of this package. */
interface Library {
  readonly Capability: new (options: {
    readonly name: string;
    readonly description: string;
  }) => {
    When(kind: unknown): Occasion;
  };
  readonly PeprModule: new (
    description: object,
    capabilities: readonly unknown[],
    options: { readonly deferStart: boolean },
  ) => { start(port: number): void };
  readonly a: Readonly<Record<'ConfigMap' | 'Secret' | 'Deployment', unknown>>;
}

interface Occasion {
  IsCreated(): Policy;
  IsUpdated(): Policy;
  IsCreatedOrUpdated(): Policy;
  IsDeleted(): Policy;
}

interface Policy {
  Mutate(change: (request: MutateRequest) => void): void;
  Validate(check: (request: ValidateRequest) => unknown): void;
}

interface Fields {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  data?: Record<string, string>;
  spec?: { replicas?: number };
}

interface MutateRequest {
  readonly Raw: Fields;
  readonly Request: { readonly userInfo: { readonly username: string } };
  SetLabel(key: string, value: string): MutateRequest;
}

interface ValidateRequest {
  readonly Raw: Fields;
  readonly OldResource?: Fields;
  Approve(warnings?: readonly string[]): unknown;
  Deny(message: string, code?: number): unknown;
}

const [folder = '', port = ''] = process.argv.slice(2);
// It is CommonJS, and has no types here.
const { Capability, PeprModule, a } = createRequire(join(folder, 'package.json'))('pepr') as Library;

const policies = new Capability({ name: 'policies', description: 'what the tests ask for' });
const { ConfigMap, Deployment, Secret } = a;

policies
  .When(ConfigMap)
  .IsCreatedOrUpdated()
  .Mutate(
    (request) => void request.SetLabel('changed-by', request.Request.userInfo.username.replaceAll(':', '.')),
  );
policies
  .When(ConfigMap)
  .IsCreated()
  .Validate(({ Raw, Approve, Deny }) => {
    if (Raw.data?.forbidden !== undefined) return Deny('data.forbidden is not allowed', 422);
    return Raw.data === undefined ? Approve(['there is no data']) : Approve();
  });
policies
  .When(ConfigMap)
  .IsUpdated()
  .Validate(({ Raw, OldResource, Approve, Deny }) => {
    const kept = OldResource?.data?.kept;
    return kept === Raw.data?.kept ? Approve() : Deny(`data.kept stays ${kept}`);
  });
policies
  .When(ConfigMap)
  .IsDeleted()
  .Validate((request) => {
    const isProtected = request.OldResource?.metadata.labels?.protected === 'true';
    return isProtected ? request.Deny('it is protected', 403) : request.Approve();
  });
policies
  .When(Deployment)
  .IsCreatedOrUpdated()
  .Mutate(({ Raw }) => {
    if (Raw.spec !== undefined) Raw.spec.replicas = Math.max(2, Raw.spec.replicas ?? 1);
  });
// Values come to a policy decoded.
policies
  .When(Secret)
  .IsCreated()
  .Mutate(({ Raw }) => {
    Raw.data = { ...Raw.data, greeting: `${Raw.data?.greeting ?? ''}, world` };
  });

const description = {
  description: 'policies',
  pepr: { uuid: 'test', onError: 'reject', webhookTimeout: 10, alwaysIgnore: { namespaces: [] } },
};
new PeprModule(description, [policies], { deferStart: true }).start(Number(port));
