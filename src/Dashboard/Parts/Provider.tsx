import type { ReactNode } from "react"
import { productNames, useProviders } from "../Service/Lists.ts"
import { Middle } from "./Middle.tsx"

/** Our own drawings. A provider's logo is only on the button that its rules for brands demand. */
const marks: Readonly<Record<string, ReactNode>> = {
  gsc: (
    <>
      <circle cx="7" cy="7" r="4" />
      <path d="m10 10 3.5 3.5" />
    </>
  ),
  ga4: <path d="M3.5 13.5v-3M8 13.5v-7M12.5 13.5v-11" strokeWidth="2.5" />,
  sitesearch: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="m10.8 5.2-1.6 4-4 1.6 1.6-4z" fill="currentColor" stroke="none" />
    </>
  ),
  gsheets: <path d="M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.5 6.2v7.3" />,
  gdocs: <path d="M3.5 1.8h6l3 3v9.4h-9zM6 7.5h4M6 10.5h4" />
}

const unknown = <circle cx="8" cy="8" r="4.5" />

export const ProviderMark = ({ id }: { readonly id: string }) => (
  <span className="provider-mark" style={id in marks ? { color: `var(--${id})` } : {}} aria-hidden="true">
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {marks[id] ?? unknown}
    </svg>
  </span>
)

/** The name of a provider. It is the id where the provider is neither known here nor loaded yet. */
export const useProviderName = () => {
  const providers = useProviders()
  return (id: string): string => providers.data?.find((provider) => provider.id === id)?.name ?? productNames[id] ?? id
}

export const Provider = ({ id }: { readonly id: string }) => {
  const nameOf = useProviderName()
  return (
    <span className="provider">
      <ProviderMark id={id} /> {nameOf(id)}
    </span>
  )
}

/** A mark, a name, and below it the provider and what is known of the account. */
export const ProviderTitle = ({ about, children, provider }: {
  readonly provider: string
  readonly about: string | null
  readonly children: ReactNode
}) => {
  const nameOf = useProviderName()
  return (
    <span className="provider-title">
      <ProviderMark id={provider} />
      <span>
        {children}
        <span className="meta below-name" title={about ?? undefined}>
          {nameOf(provider)}
          {about !== null && (
            <>
              {" · "}
              <Middle text={about} />
            </>
          )}
        </span>
      </span>
    </span>
  )
}
