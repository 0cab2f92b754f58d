import type { Dialect } from '../../machinery/dialect.ts';
import type { Stores } from '../../registry/index.ts';
import type { Authorizer, RuleResolver } from '../authorization/index.ts';
import { createBinding } from '../subresources/index.ts';
import { type Component, componentStatusHandler } from './component-status.ts';
import type { VirtualHandler } from './review.ts';
import { selfSubjectRulesReviewHandler } from './self-subject-rules-review.ts';
import {
  localSubjectAccessReviewHandler,
  selfSubjectAccessReviewHandler,
  subjectAccessReviewHandler,
} from './subject-access-review.ts';
import { type TokenReviewOptions, tokenReviewHandler } from './token-review.ts';

/** What the handlers of resources that store nothing ask. */
export interface VirtualOptions extends TokenReviewOptions {
  readonly dialect: Dialect;
  readonly stores: Stores;
  readonly authorizer: Authorizer;
  readonly rules: RuleResolver;
  /** Shown in this order. */
  readonly components: readonly Component[];
}

/** Handlers by `group/resource`, as `dispatch` looks them up. */
export function createVirtualHandlers(options: VirtualOptions): ReadonlyMap<string, VirtualHandler> {
  const { dialect, stores, authorizer, rules, components } = options;
  const authentication = dialect.group('authentication');
  const authorization = dialect.group('authorization');
  const handlers = new Map<string, VirtualHandler>([
    ['/componentstatuses', componentStatusHandler(components)],
    [`${authentication}/tokenreviews`, tokenReviewHandler(options)],
    [`${authorization}/subjectaccessreviews`, subjectAccessReviewHandler(authorizer)],
    [`${authorization}/selfsubjectaccessreviews`, selfSubjectAccessReviewHandler(authorizer)],
    [`${authorization}/localsubjectaccessreviews`, localSubjectAccessReviewHandler(authorizer)],
    [`${authorization}/selfsubjectrulesreviews`, selfSubjectRulesReviewHandler(rules)],
  ]);
  const pods = stores.served.get('/v1/pods');
  if (pods !== undefined) {
    handlers.set('/bindings', (exchange, endpoint) => createBinding(exchange, endpoint, { pods }));
  }
  return handlers;
}
