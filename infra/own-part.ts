import { Aws, Fn } from 'aws-cdk-lib';

/**
 * What tells a stack from one of the same name that was there before it: eight hex digits of its id. A vault, which AWS does not
 * name by itself, stays when its stack goes, and would be in the way of the next one; the name of a user pool's pages must be unlike all
 * others of the region, whosever they are.
 */
export const ownPart = (): string => Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));
