import { useMemo } from "react"

export const useById = <A extends { readonly id: string }>(entries: ReadonlyArray<A> | undefined) => {
  const byId = useMemo(() => new Map(entries?.map((entry) => [entry.id, entry])), [entries])
  return (id: string | null): A | undefined => id === null ? undefined : byId.get(id)
}

/** "" without entries, and with several. */
export const onlyId = (entries: ReadonlyArray<{ readonly id: string }> | undefined): string =>
  entries?.length === 1 ? entries[0]?.id ?? "" : ""
