"""Lets each account fail to log in three times an hour, and each address ask thirty times a minute.

    python login.py

A right password gives its permit back, so only failures count.
"""

from ratelimit import Limiter

BY_ADDRESS = Limiter("30/minute")
FAILURES = Limiter("sliding 3/hour", max_identities=200_000)
PASSWORDS = {"ada": "correct horse"}


def log_in(address: str, account: str, password: str) -> str:
    """Answers a request as a server would."""
    if not BY_ADDRESS.allow(address):
        return "429, too many requests from here"
    attempt = FAILURES.check(account)
    if not attempt:
        return f"429, {account} is locked for another {attempt.retry_after:.0f} s"
    if PASSWORDS.get(account) != password:
        return f"401, {attempt.remaining} tries left"
    FAILURES.refund(account, attempt)
    return "200, hello"


def main() -> None:
    """Logs in rightly, then guesses."""
    print(log_in("203.0.113.7", "ada", "correct horse"))
    for guess in ("battery", "staple", "horse", "correct horse"):
        print(log_in("198.51.100.9", "ada", guess))


if __name__ == "__main__":
    main()
