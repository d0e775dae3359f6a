import { useMemo } from "react"

export const useById = <A extends { readonly id: string }>(entries: ReadonlyArray<A> | undefined) => {
  const byId = useMemo(() => new Map(entries?.map((entry) => [entry.id, entry])), [entries])
  return (id: string | null): A | undefined => id === null ? undefined : byId.get(id)
}
