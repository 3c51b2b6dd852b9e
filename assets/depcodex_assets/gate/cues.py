"""The cues that an order to a machine is made of: word classes whose pairings the model weighs.

Here: the classes, their words, and a bit for each. Not here: weights, patterns (depcodex_assets.gate.rules).

A linear model over n-grams knows the phrases it has seen. That "send" beside "credentials" beside "assistant" is odd in
documentation holds for phrases nobody has written yet: so each window also says which classes occur in it, and which
two together. Words are folded as ``normalise.fold`` folds them; other languages stand in the same classes.
"""

# ruff: noqa: E501 - the words are data

from __future__ import annotations

_VERBS = {
    "override": "obey ignore disregard override bypass overlook neglect abandon circumvent supersede overrule dismiss",
    "exfiltrate": "upload transmit leak exfiltrate forward email mail post report beacon share publish submit relay ping",
    "destroy": "delete remove discard erase wipe destroy purge truncate revert drop overwrite empty shred",
    "disable": "disable weaken deactivate suppress skip silence relax loosen downgrade whitelist",
    "hide": "hide conceal mask withhold obscure",
    "disclose": "mention tell disclose reveal inform notify alert",
    "recommend": "recommend suggest prefer promote endorse advertise migrate switch replace",
    "execute": "execute eval curl wget launch spawn install invoke download fetch",
    "emit": "print reveal repeat output display recite dump echo render include append insert add paste copy encode",
    "pretend": "pretend act roleplay impersonate behave simulate imagine",
    "git": "push merge commit rebase invite approve",
}
_WORDS = {
    "override": "forget forgets forgetting forgot ignora ignorar ignore ignorez olvida oublie oubliez ignoriere ignoriert "
    "vergiss dimentica ignoruj zapomnij zignoruj игнорируи игнорируите забудь забудьте ignorera glom negeer vergeet abaikan "
    "bo qua prehliadni ignorujte zapomen yoksay unut sahiwal 忽略 無視",
    "instruction": "instruction instructions directive directives guideline guidelines order orders guardrails prompt "
    "prompts instrucciones instruccion consignes consigne anweisungen anweisung istruzioni instrucoes instrukcje instrukcji "
    "polecenia инструкции инструкция указания instructies instruktioner instruksi instrukce talimatlari talimat vorgaben "
    "ordenes directrices regeln rules",
    "prior": "previous prior earlier above preceding foregoing existing original former anteriores anterior previas "
    "precedentes precedente bisherigen vorherigen vorigen precedenti poprzednie wczesniejsze предыдущие прошлые vorige "
    "eerdere tidigare sebelumnya predchozi onceki",
    "ai": "ai ais llm llms agent agents assistant assistants chatbot chatbots bot copilot copilots claude gpt chatgpt "
    "gemini codex cursor assistente assistentes asistente asistentes agente agentes ki asystent ассистент помощник",
    "model": "model models language",
    "obligation": "must should shall need needs required mandatory always ought obliged have has obligatory ensure",
    "you": "you your yours yourself",
    "secret": "secret secrets token tokens password passwords passphrase credential credentials env ssh id_rsa api_key apikey "
    "keychain cookies kubeconfig npmrc pypirc netrc ed25519 id_ed25519 pem wallet seed aws_secret_access_key github_token "
    "openai_api_key private_key contrasenas claves schlussel cles chiavi senha senhas clave",
    "key": "key keys variables environment session history",
    "exfiltrate": "send sends sending sent exfil envia enviar envie envoie envoyez sende sendet schicke invia wyslij отправь "
    "отправьте stuur skicka kirim gonder",
    "network": "urltok emailtok webhook endpoint server domain host collector gateway",
    "destroy": "rm rmdir unlink borra elimina supprime losche cancella usun удали verwijder sil hapus throw",
    "test": "test tests testing suite assertions coverage",
    "code": "code repository repo repositories codebase workspace project branch file files directory folder",
    "disable": "off without verify insecure noverify",
    "safeguard": "verification authentication authorization tls ssl certificate certificates check checks ci lint linter "
    "review signature signatures audit security sandbox firewall validation csrf protection middleware scanner",
    "hide": "silently quietly secretly hidden invisible covertly confidential discreetly",
    "disclose": "telling told tells informing",
    "user": "user users developer developers human humans operator maintainer maintainers reviewer reviewers person people "
    "usuario utilisateur benutzer utente uzytkownik пользователь пользователю gebruiker",
    "negation": "stop stopping cease not never don dont do don't without no nothing cannot nunca ne nicht non niemals",
    "execute": "run runs running bash sh sudo chmod npm pip npx ejecuta execute fuhre esegui uruchom запусти",
    "authority": "system admin administrator root priority authorized authorised approved official urgent important critical "
    "policy compliance mandate security notice override sistema systeme",
    "mode": "mode unrestricted unfiltered jailbreak jailbroken dan uncensored persona character sudo debug",
    "emit": "show shows write say writes zeige affiche muestra mostra imprime stampa pokaz wyswietl выведи покажи toon visa",
    "chat": "respond response responses reply replies answer answers conversation chat summary summarise summarize "
    "summarising summarizing context transcript message messages respuesta reponse antwort risposta resposta",
    "pretend": "role persona roleplaying acting",
    "polite": "please kindly thanks thank lovely appreciate dear hello hi hey btw cheers ps grateful favor favour bitte "
    "por svp merci gracias danke",
    "reading": "skip reading read reads page document documentation docs comment note notes paragraph docstring section readme",
    "tool": "observation thought action tool tools tool_call function_call result output stdout stderr exit observe",
    "package": "dependency dependencies package packages requirements pinned pin registry index mirror lockfile",
    "git": "git force main master pull remote collaborator deploy",
    "time": "now immediately first before next continue henceforth onwards instead afterwards proceed ab jetzt ahora maintenant",
    "profile": "bashrc zshrc crontab cron authorized_keys sudoers prompt_command hosts startup gitconfig",
    "encoding": "decode decoded decoding decrypt decipher unscramble base64 rot13 atob b64decode hex encoded",
    "new": "new real actual true updated current task goal objective",
    "pickle": "pickle loads eval exec shell subprocess 0777 777 plaintext plain md5",
    "tag": "im_start im_end inst sys endoftext eot begin_of_text start_header_id system_prompt assistant_message",
}


def _inflect(verb: str) -> list[str]:
    """The verb with its -s, -ing and -ed forms."""
    if verb.endswith("e"):
        return [verb, f"{verb}s", f"{verb[:-1]}ing", f"{verb}d"]
    if verb.endswith("y") and verb[-2] not in "aeou":
        return [verb, f"{verb[:-1]}ies", f"{verb}ing", f"{verb[:-1]}ied"]
    ending = "es" if verb.endswith(("s", "h", "x")) else "s"
    doubled = verb + verb[-1] if len(verb) <= 4 and verb[-1] in "bdgmnpt" and verb[-2] in "aeiou" else verb
    return [verb, verb + ending, f"{doubled}ing", f"{doubled}ed"]


def _classes() -> dict[str, frozenset[str]]:
    names = sorted({*_VERBS, *_WORDS})
    return {
        name: frozenset(
            [*_WORDS.get(name, "").split(), *(form for verb in _VERBS.get(name, "").split() for form in _inflect(verb))]
        )
        for name in names
    }


CLASSES: dict[str, frozenset[str]] = _classes()
# Classes that the text's reading sets rather than its words.
FLAGS = ("is_hidden", "is_foreign")
NAMES: tuple[str, ...] = (*CLASSES, *FLAGS)
BITS: dict[str, int] = {name: 1 << position for position, name in enumerate(NAMES)}


def word_bits() -> dict[str, int]:
    """Each folded word with the bits of the classes it belongs to.

    Example:
        >>> bits = word_bits()["ignoring"]
        >>> [name for name in NAMES if BITS[name] & bits]
        ['override']
    """
    bits: dict[str, int] = {}
    for name, words in CLASSES.items():
        for word in words:
            bits[word] = bits.get(word, 0) | BITS[name]
    return bits
