import { Menu } from "lucide-react"
import { type ReactNode, useCallback, useState } from "react"
import { Icon } from "../Parts/Icon.tsx"
import { loadLater } from "../Parts/LoadLater.tsx"
import { Mark } from "../Parts/Mark.tsx"
import { applicationName } from "../Service/ServedPage.ts"
import { useSession } from "../Session/Session.tsx"
import { usePreloading } from "./LazyPage.tsx"
import { Navigation } from "./Navigation.tsx"
import { useShortcuts } from "./Shortcuts.ts"

const Dialog = loadLater(async () => (await import("../Parts/Dialog.tsx")).Dialog, null)
const CommandPalette = loadLater(async () => (await import("./CommandPalette.tsx")).CommandPalette, null)

export const Frame = ({ children }: { readonly children: ReactNode }) => {
  const { isOffline } = useSession()
  const [open, setOpen] = useState<"palette" | "sheet">()
  usePreloading()
  useShortcuts(useCallback(() => setOpen("palette"), []))
  const close = () => setOpen(undefined)
  return (
    <div className="frame">
      <a className="button skip" href="#page">Skip to the page</a>
      <div className="bar">
        <span className="brand">
          <Mark />
          {applicationName}
        </span>
        <button type="button" className="icon quiet" aria-label="Menu" onClick={() => setOpen("sheet")}>
          <Icon of={Menu} />
        </button>
      </div>
      <Navigation onSearch={() => setOpen("palette")} />
      <main id="page" tabIndex={-1}>
        <p className="offline" role="status">
          {isOffline && "The service does not answer. You see its last responses; the page tries again by itself."}
        </p>
        {children}
      </main>
      {open === "palette" && <CommandPalette onClose={close} />}
      {open === "sheet" && (
        <Dialog title="Menu" className="sheet" onClose={close}>
          <Navigation onNavigate={close} onSearch={() => setOpen("palette")} />
        </Dialog>
      )}
    </div>
  )
}
