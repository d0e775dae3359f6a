import type { HTMLAttributes, ReactNode } from "react"

export const Fact = ({ name, ...value }: { readonly name: ReactNode } & HTMLAttributes<HTMLElement>) => (
  <>
    <dt>{name}</dt>
    <dd {...value} />
  </>
)
