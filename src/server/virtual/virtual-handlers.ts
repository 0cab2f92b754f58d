import type { SelfSubjectRulesReview, SubjectRulesReviewStatus } from '../../apis/types/authorization-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { badRequest } from '../../machinery/errors/index.ts';
import type { Stores } from '../../registry/index.ts';
import type { Authorizer, RuleResolver } from '../authorization/index.ts';
import { createBinding } from '../subresources/index.ts';
import { type Component, componentStatusHandler } from './component-status.ts';
import { readReview, type VirtualHandler, writeReview } from './review.ts';
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

/** POST to `selfsubjectrulesreviews`: what may I do? The answer does not repeat the question. */
function selfSubjectRulesReviewHandler(resolver: RuleResolver): VirtualHandler {
  return async (exchange, endpoint) => {
    const review = await readReview<SelfSubjectRulesReview>(exchange, endpoint);
    const { namespace = '' } = review.spec;
    if (namespace === '') throw badRequest('no namespace on request');
    const found = await resolver.rulesFor(exchange.user, namespace);
    const status: SubjectRulesReviewStatus = {
      resourceRules: [...found.resourceRules],
      nonResourceRules: [...found.nonResourceRules],
      incomplete: found.isIncomplete,
      ...(found.evaluationError === '' ? {} : { evaluationError: found.evaluationError }),
    };
    const { kind, apiVersion } = review;
    writeReview(exchange, endpoint, { kind, apiVersion, metadata: {}, spec: {}, status });
  };
}
