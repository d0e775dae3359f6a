import { Autocomplete } from "@base-ui/react/autocomplete"
import { useLocation } from "wouter"
import { Dialog } from "../Parts/Dialog.tsx"
import { useClients, useConnections } from "../Service/Lists.ts"
import { useSession } from "../Session/Session.tsx"
import type { Action } from "./FeaturePages.ts"
import { featureActions, servedAreas } from "./ServedPages.ts"

interface Command {
  readonly title: string
  readonly kind: string
  readonly path: string
}

const maxShown = 12

export const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const [, navigate] = useLocation()
  const { isAdmin } = useSession()
  const connections = useConnections().data ?? []
  const clients = useClients().data ?? []
  const isShown = ({ admin }: Action) => isAdmin || !admin
  const commands: ReadonlyArray<Command> = [
    ...servedAreas.filter(isShown).map(({ path, title }) => ({ title, kind: "Area", path })),
    { title: "Make a key", kind: "Action", path: "/keys?make=key" },
    { title: "Connect an account", kind: "Action", path: "/connections/connect" },
    ...featureActions.filter(isShown).map(({ kind = "Action", path, title }) => ({ title, kind, path })),
    ...connections.map(({ id, label }) => ({ title: label, kind: "Connection", path: `/connections/${id}` })),
    ...clients.map(({ id, name }) => ({ title: name, kind: "Client", path: `/clients/${id}` }))
  ]
  const open = (path: string) => {
    onClose()
    navigate(path)
  }
  return (
    <Dialog title="Go to" className="palette" onClose={onClose}>
      <Autocomplete.Root
        open
        inline
        autoHighlight="always"
        limit={maxShown}
        items={commands}
        itemToStringValue={({ title }: Command) => title}
      >
        <Autocomplete.Input
          type="search"
          aria-label="Area, connection or client"
          placeholder="Area, connection or client"
        />
        <Autocomplete.Empty className="muted">Nothing has this name.</Autocomplete.Empty>
        <Autocomplete.List aria-label="Places">
          {(command: Command) => (
            <Autocomplete.Item
              key={command.path}
              value={command}
              onClick={() => open(command.path)}
            >
              <span className="name">{command.title}</span>
              <span className="meta">{command.kind}</span>
            </Autocomplete.Item>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  )
}
