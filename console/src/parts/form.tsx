import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'onSubmit'> {
  readonly onSubmit: () => unknown;
}

/** Handles a form without loading the page again. */
export function Form({ onSubmit, ...attributes }: FormProps) {
  return (
    <form
      {...attributes}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

/** Runs steps that may fail. Tells whether one is running, and why the last one failed. */
export function useAttempt() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const attempt = async (step: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    await step().catch(setError);
    setBusy(false);
  };
  return { busy, error, attempt };
}
