import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation that is under way once at a time. */
export type Once<D, V> = Omit<UseMutationResult<D, Error, V>, 'mutate' | 'mutateAsync'> & {
  mutate: (variables: V) => void;
};

/**
 * A mutation that heeds no second call while the first is under way. A disabled button is not enough: the second click of a
 * double click comes before it is drawn.
 */
export function useOnce<D, V = void>(options: UseMutationOptions<D, Error, V>): Once<D, V> {
  const isUnderWay = useRef(false);
  const {
    mutate,
    mutateAsync: _,
    ...mutation
  } = useMutation({
    ...options,
    // Not by what `mutate` is given: a reset would keep that from being called.
    onSettled: (...how) => {
      isUnderWay.current = false;
      return options.onSettled?.(...how);
    },
  });
  return {
    ...mutation,
    mutate(variables) {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      mutate(variables);
    },
  };
}
