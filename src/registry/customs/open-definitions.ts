import type { CustomSources } from '../../apis/customs/index.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { GroupResource } from '../../machinery/schema/index.ts';
import type { ServedKind } from '../resource-store.ts';
import type { CustomStores } from './custom-stores.ts';
import { DefinitionKeeper } from './definition-keeper.ts';
import { Definitions, type DefinitionsOptions } from './definitions.ts';
import { VersionRegistrations } from './version-registrations.ts';

/** Stores of definitions and their registrations, by `group/version/resource`, and those of what they define. */
export interface DefinitionStores {
  readonly served: ReadonlyMap<string, ServedKind>;
  readonly customs: CustomStores;
}

/** What serving definitions takes. */
export interface DefinitionSources {
  readonly stores: DefinitionStores;
  readonly sources: CustomSources;
  /** Whether the server serves a group version itself. */
  readonly isBuiltIn: DefinitionsOptions['isBuiltIn'];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Definitions that are served. Disposing of them ends that. */
export interface ServedDefinitions extends AsyncDisposable {
  /** Begins to write: names, conditions, registrations, deletions. Nothing without it. */
  keep(): void;
  /**
   * Resolves when a resource is served that another server of the same store has defined before; undefined where there is no
   * other one, or no definition of its group.
   */
  catchUp(resource: GroupResource): Promise<void> | undefined;
}

/**
 * Serves what the stored definitions define, from now on: all of them when the promise resolves. Nothing where no version of
 * definitions is served itself.
 */
export async function openDefinitions(options: DefinitionSources): Promise<ServedDefinitions> {
  const { stores, sources, isBuiltIn, clock, logger } = options;
  const { dialect } = sources;
  const served = find(stores, dialect.group('apiextensions'), 'customresourcedefinitions');
  const services = find(stores, dialect.group('apiregistration'), 'apiservices');
  if (served === undefined || services === undefined) return nothing;
  const { customs } = stores;
  const definitions = new Definitions({ store: served.store, customs, sources, isBuiltIn });
  const stop = await definitions.follow();
  const { freshen: freshenDefinitions } = served.store;
  const registrations = new VersionRegistrations({
    dialect,
    clock,
    logger,
    served: services,
    freshenDefinitions,
  });
  const keeper = new DefinitionKeeper({
    dialect,
    clock,
    logger,
    definitions,
    customs,
    served,
    registrations,
  });
  return {
    keep: () => keeper.start(),
    catchUp: ({ group, resource }) =>
      // Groups without a dot are nobody's to define.
      group.includes('.')
        ? freshenDefinitions?.().then(() => definitions.refresh(`${resource}.${group}`))
        : undefined,
    async [Symbol.asyncDispose]() {
      stop();
      await keeper[Symbol.asyncDispose]();
    },
  };
}

/** Neither definitions nor their registrations are served. */
const nothing: ServedDefinitions = {
  keep() {},
  catchUp: () => undefined,
  async [Symbol.asyncDispose]() {},
};

function find({ served }: DefinitionStores, group: string, resource: string): ServedKind | undefined {
  return served.get(`${group}/v1/${resource}`) ?? served.get(`${group}/v1beta1/${resource}`);
}
