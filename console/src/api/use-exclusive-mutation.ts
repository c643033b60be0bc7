import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/** A mutation that runs one at a time. */
export type ExclusiveMutation<D, V> = Omit<UseMutationResult<D, Error, V>, 'mutate' | 'mutateAsync'> & {
  mutate: (variables: V) => void;
};

/**
 * Returns a mutation that ignores calls while it is running. Disabling the button is not enough: the second click of a
 * double click arrives before React re-renders.
 */
export function useExclusiveMutation<D, V = void>(options: UseMutationOptions<D, Error, V>): ExclusiveMutation<D, V> {
  const isRunning = useRef(false);
  const {
    mutate,
    mutateAsync: _,
    ...mutation
  } = useMutation({
    ...options,
    // Set here and not in the options of `mutate`, because a reset would skip those.
    onSettled: (...result) => {
      isRunning.current = false;
      return options.onSettled?.(...result);
    },
  });
  return {
    ...mutation,
    mutate(variables) {
      if (isRunning.current) return;
      isRunning.current = true;
      mutate(variables);
    },
  };
}
