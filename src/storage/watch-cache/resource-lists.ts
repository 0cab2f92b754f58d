import type { TimeSlices } from '../../base/index.ts';
import { pathEnd } from '../key-range.ts';
import type { SortedTree } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import { type Collected, type CollectRequest, collect, collectSliced } from './collect.ts';
import type { FieldValue, RequiredValue } from './field-layout.ts';
import type { ObjectTable } from './object-table.ts';
import type { RecentStates, State } from './recent-states.ts';

export interface ListRequest extends CollectRequest {
  /** List the state at this revision; the current one when left out. */
  readonly snapshot?: number | undefined;
  /** What `matches` demands of fields: lets an index find the objects. */
  readonly requiredValue?: RequiredValue | undefined;
}

/** What a list found, or one page of it. */
export interface ListPage extends Collected {
  /** Revision that the answer is exact for: pass it as `snapshot` to get the pages that follow. */
  readonly revision: number;
  /** How many objects follow. Undefined when `matches` was given, or on the last page. */
  readonly remaining: number | undefined;
}

export interface ResourceListsOptions {
  readonly table: ObjectTable;
  readonly states: RecentStates;
  readonly slices: TimeSlices;
}

/** Lists of one resource's objects, now or at a revision that memory still knows. */
export class ResourceLists {
  readonly #table: ObjectTable;
  readonly #states: RecentStates;
  readonly #slices: TimeSlices;

  constructor({ table, states, slices }: ResourceListsOptions) {
    this.#table = table;
    this.#states = states;
    this.#slices = slices;
  }

  /** See `ResourceCache.list`. */
  list(request: ListRequest): ListPage {
    this.#table.assertReadable(request.prefix, request.snapshot);
    const state = this.#states.at(request.snapshot);
    return this.#finish(request, state, collect(this.#candidates(request, state), request));
  }

  /** See `ResourceCache.read`. */
  read(request: ListRequest): ListPage | Promise<ListPage> {
    this.#table.assertReadable(request.prefix, request.snapshot);
    const building = this.#table.prepare(this.#demandOf(request));
    if (building !== undefined) return building.then(() => this.read(request));
    const state = this.#states.at(request.snapshot);
    const found = collectSliced(this.#candidates(request, state), request, this.#slices.begin());
    if (!(found instanceof Promise)) return this.#finish(request, state, found);
    const kept = { revision: state.revision, objects: state.objects.clone() };
    return found.then((collected) => this.#finish(request, kept, collected));
  }

  #finish(request: ListRequest, state: State, { objects, nextKey }: Collected): ListPage {
    const { revision } = state;
    if (nextKey === undefined) {
      if (request.snapshot !== undefined) this.#states.release(revision);
      return { revision, objects, nextKey, remaining: undefined };
    }
    this.#states.keep(state, { isNew: request.snapshot === undefined });
    const end = pathEnd(request.prefix);
    const remaining = request.matches === undefined ? state.objects.forRange(nextKey, end, false) : undefined;
    return { revision, objects, nextKey, remaining };
  }

  /** What a list of the current state demands of an indexed field. */
  #demandOf({ snapshot, requiredValue }: ListRequest): FieldValue | undefined {
    const { lastChange, revision } = this.#table;
    const isCurrent = snapshot === undefined || (snapshot >= lastChange && snapshot <= revision);
    return isCurrent ? this.#table.demandOf(requiredValue) : undefined;
  }

  /** The objects to look through. */
  #candidates(request: ListRequest, { objects }: State): SortedTree<CachedObject> {
    return objects === this.#table.objects ? this.#table.candidates(this.#demandOf(request)) : objects;
  }
}
