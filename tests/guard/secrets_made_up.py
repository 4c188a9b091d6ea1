"""Made-up secrets, put together here so that no scanner takes this file for a leak."""

from __future__ import annotations

MIXED = "b9Kq27LmzP4xWd81TnVcRy3HsJf6GtA5uEoQ0iXgZw7NkBvMDaC2pLhSrUjYe8Fq19Ob4TzW6mKx3VdPn5RcHyGs7JfA"
HEX = "4f3a2e9c1f0e4c628f0b6d9f2a7c5e11b8d04e57c3a19f6624e0d7b5908c1fa3"
BODY = "\n".join([MIXED[:64], MIXED[5:69], MIXED[9:73], MIXED[:40] + "=="])
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n-----END RSA PRIVATE KEY-----"

SECRETS: dict[str, list[str]] = {
    "anthropic-key": ["sk-ant-api03-" + MIXED + "-_AA", "sk-ant-oat01-" + MIXED[:30]],
    "openai-key": ["sk-" + MIXED[:48], "sk-proj-" + MIXED[:30] + "_-" + MIXED[:40], "sk-or-v1-" + HEX],
    "github-token": [f"gh{kind}_{MIXED[:36]}" for kind in "pousr"] + [f"github_pat_{MIXED[:22]}_{MIXED[:59]}"],
    "gitlab-token": ["glpat-" + MIXED[:20], "glpat-a_b-" + MIXED[:16]],
    "aws-key-id": ["AKIA" + "IOSFODNN7ABCDEFG", "ASIA" + "Y34FZKBOKMUTVV7A"],
    "google-key": ["AIza" + "Sy-_" + MIXED[:31]],
    "slack-token": ["xoxb-" + "123456789012-1234567890123-" + MIXED[:24], "xoxp-" + "1-" + MIXED[:30]],
    "stripe-key": ["sk_live_" + MIXED[:24], "rk_live_" + MIXED[:24], "sk_test_" + MIXED[:24]],
    "npm-token": ["npm_" + MIXED[:36]],
    "pypi-token": ["pypi-" + "AgEIcHlwaS5vcmcCJD" + MIXED[:60] + "-_" + MIXED[:20]],
    "huggingface-token": ["hf_" + MIXED[:34]],
    "twilio-key": ["SK" + HEX[:32]],
    "discord-token": ["MTk4NjIyNDgzNDcxOTI1MjQ4" + ".Cl2FMQ." + MIXED[:27]],
    "digitalocean-token": ["dop_v1_" + HEX],
    "databricks-token": ["dapi" + HEX[:32]],
    "jwt": [f"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{MIXED[:43]}"],
    "private-key": [PEM, PEM.replace("RSA PRIVATE", "PRIVATE"), PEM.replace("\n", "\\n"), PEM.replace("\n", "\\\\n")],
}
"""What is masked as a whole, by the kind that the mask has to say."""

PARTLY: list[tuple[str, str, str]] = [
    ("google-oauth-token", "ya29.", "a0AfH6SM-" + MIXED),
    ("sendgrid-key", "SG.", f"{MIXED[:22]}.{MIXED[:43]}"),
    ("telegram-token", "bot123456789:", "AA" + MIXED[:33]),
    ("azure-key", "AccountName=a;AccountKey=", MIXED[:84] + "+/=="),
    ("aws-secret-key", "aws_secret_access_key = ", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzz+/Q"),
    ("aws-secret-key", "export AWS_SECRET_ACCESS_KEY=", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzz+/Q"),
    ("aws-secret-key", '{"SecretAccessKey": "', "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzz+/Q"),
    ("slack-hook", "https://hooks.slack.com/services/", "T0123ABCD/B0123ABCD/" + MIXED[:24]),
    ("authorization", "Authorization: Bearer ", "abc.def-123456"),
    ("authorization", "authorization: Basic ", "dXNlcjpwYXNz"),
    ("authorization", '{\\"Authorization\\": \\"Bearer ', "abcdefgh12345"),
    ("authorization", "AUTHORIZATION: BEARER ", "abc.def-123456"),
    ("authorization", "HTTP_AUTHORIZATION=Bearer ", "abc.def-123456"),
    ("url-password", "postgres://app:", "s3cr3t-p%40ss"),
    ("url-password", "postgres://app:", "s3cr3t@p@ss"),
    ("url-password", "postgres://app:", "s3cr3t/p/ss"),
    ("url-password", "https://:", "hunter22"),
]
"""The kind, what stands before the secret and stays, and the secret."""

HARMLESS = [
    "commit 615edf3a9c0d1b2e3f4a5b6c7d8e9f0a1b2c3d4e",
    '"uuid": "4f3a2e9c-1f0e-4c62-8f0b-6d9f2a7c5e11"',
    '"integrity": "sha512-' + MIXED[:60] + "/" + MIXED[:20] + '=="',
    "sha256:" + HEX,
    "--hash=sha256:" + HEX,
    '<div class="sk-circle sk-fading-circle10 sk-child"></div>',
    ".sk-folding-cube-container-animation-delay-1 { color: red }",
    "task-" + "a" * 30,
    "disk-" + MIXED[:30],
    "the risk-assessment-of-the-new-deployment-process-2026",
    "src=data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA" + MIXED + "/" + MIXED,
    "npm_config_registry_of_the_project_is_not_set_here1",
    "npm_lifecycle_event=test npm_package_name=@scope/package",
    "eyJust a word, eyJ",
    "ghp_ is the prefix of a token; ghp_short",
    "def test_sk_live_mode_is_refused_where_keys_are_missing(self) -> None:",
    "AKIA is a prefix; AKIAlowercaseisnotakey; MAKIA" + "IOSFODNN7ABCDEFG",
    'if "-----BEGIN PRIVATE KEY-----" in text: raise ValueError("-----END PRIVATE KEY-----")',
    "the file begins with -----BEGIN PRIVATE KEY----- and then comes what is secret",
    "-----BEGIN CERTIFICATE-----\n" + BODY + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n" + BODY + "\n-----END PUBLIC KEY-----",
    "Authorization: Bearer $TOKEN",
    "Authorization: Bearer <token>",
    "Authorization: Basic authentication is used",
    "http://localhost:8080/a@b and git@github.com:owner/name.git",
    "http://localhost:5173/@vite/client and http://localhost:8080/users/ada@example.com",
    "https://user:$PASSWORD@host https://user:{password}@host",
    "ssh://git@example.com:22/path user@example.com",
    "SG.something.else and SKIP and SK" + HEX[:10],
    "import of xoxb-is-a-prefix-of-slack-tokens",
    "hf_model_of_the_day_is_very_long_and_harmless",
    "2026-11-15T22:16:47.123456Z 0123456789012345678901234567890123456789",
    "getElementsByClassNameAndThenSomethingVeryLong(argument)",
    "Mozilla.Firefox.is-a-program-with-a-very-long-name-here",
]
