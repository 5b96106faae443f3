import type { Html } from '../html.tsx';
import type { Values } from '../page.ts';

interface Props {
  /** The list, which is also its address. */
  of: 'skills' | 'sources' | 'agents';
  by: string;
  values: Values;
  /** Other values of the address that stay. */
  keep?: readonly string[];
}

/** A field that filters a list while the user types. */
export function FilterField({ of, by, values, keep = [] }: Props): Html {
  const what = of === 'sources' ? 'sources' : 'skills';
  return (
    <form
      class="find in"
      action={`/${of}`}
      role="search"
      aria-label={what === 'skills' ? 'Skills' : 'Sources'}
      data-live={of}
    >
      <label class="vh" for={`${of}-q`}>
        Filter {what} by {by}
      </label>
      <input
        class="field"
        id={`${of}-q`}
        name="q"
        type="search"
        autocomplete="off"
        spellcheck={false}
        placeholder={`Filter by ${by}`}
        value={values['q']}
      />
      {keep.map((key) => (values[key] === undefined ? null : <input type="hidden" name={key} value={values[key]} />))}
    </form>
  );
}
