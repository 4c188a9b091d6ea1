"""Labelled items for bench/real_model.py: words of customers, made of hand-written parts, each with a sure answer."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

SEED = 20
_PRODUCTS = """kettle, desk lamp, backpack, headset, blender, rain jacket, office chair, tent, keyboard, water filter,
toaster, yoga mat, bike light, coffee grinder, suitcase, baby monitor, router, wall clock, camping stove, pair of boots,
heater, vacuum cleaner, phone case, notebook, drill""".replace("\n", " ").split(", ")
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "the third of May", "12 June"]
_OPENINGS = """
Hello.
Hi there,
Good morning.
Dear team,
I have been a customer for years.
This is the second time I write.
Sorry to bother you.
A question from me.
I hope you can help."""
_CLOSINGS = """
Thank you.
Please help.
What can I do?
I wait for your answer.
Kind regards, Ana
Best wishes, Tom
It is urgent.
Could somebody look into this?"""

_PAYMENT = """I was charged twice for the {product}.
My card was debited on {day}, but I had cancelled before that.
The invoice for the {product} shows the wrong amount.
I never received my refund for the {product} that I sent back on {day}.
The discount code was not taken off the price of the {product}.
Why is there an extra fee of {money} on my bill?
I need an invoice with our company's tax number on it.
You took {money} from my bank account without asking me.
Can I pay for the {product} in three instalments?
My payment failed on {day}, yet the money is gone.
The price on the receipt is higher than the one on your page.
I want to pay by bank transfer and not by credit card.
Please send me a copy of the receipt for the {product}.
The monthly fee went up to {money} and nobody told me.
My gift voucher of {money} was not accepted at the checkout.
I was billed for a year, although I chose to pay by the month.
When will the {money} be back on my credit card?
The tax on the invoice of {day} is not right."""
_DEFECT = """The app crashes as soon as I open the settings.
After the update of {day} the screen stays black.
The {product} does not turn on any more.
My {product} no longer connects to the wireless network.
There is an error message 500 whenever I press save.
The page loads for minutes and then shows nothing.
The battery of the {product} is empty after ten minutes.
Nothing moves on the screen after the new firmware was installed.
The program freezes when I try to print.
Since {day} the {product} makes a loud noise and stops.
The search function shows no results, whatever I type.
The sound cuts out every few seconds.
Videos do not play in my browser; there is only a spinning circle.
The {product} gets very hot and switches itself off.
The export button does nothing on my tablet.
The app does not start on my new phone; it closes at once.
The display of the {product} flickers since {day}.
I get a blank page with a script error when I upload a file."""
_PASSWORD = """I forgot my password and can't log in.
My password was changed on {day}, and not by me.
The password is never taken, although I copy it from your letter.
My login was blocked after three wrong passwords.
How can I choose a new password?
I want to reset my password, but the link has expired.
The mail with the new password never came.
Is my password long enough, or do I need a better one?
Somebody else knows my password since {day}; what now?
Your page says that my password is too short.
I can't sign in: the password of {day} does not work any more.
My son has locked me out by typing a wrong password.
Please delete the old password that you have of me.
The new password may not have a dash in it, why?
I have never got a password for my login.
Can two people use the same password here?
My browser has forgotten the password that I use with you.
The box for the password is not shown when I log in."""
_DELIVERY = """Where is my parcel with the {product}? It should have come on {day}.
The courier left the box at the wrong house.
The tracking page has not changed since {day}.
Can you send the {product} to my office and not to my home?
The box with my {product} was torn when the courier brought it.
How long does delivery to Norway take?
The driver did not ring, and the parcel went back to you.
I have ordered three things and only the {product} has arrived.
Can the {product} be here before {day}?
The parcel is stuck at customs since {day}.
My neighbour was to get the parcel, but has not got anything.
Do you also deliver on Saturdays?
The tracking number that you gave me is unknown to the carrier.
The {product} was sent to my old street.
I would like to collect the {product} at the depot.
The delivery of the {product} was promised for {day} and did not come.
The parcel says delivered, but nothing is at my door.
Please hold the package until I am back from my holiday."""
_POSITIVE = """The {product} works exactly as promised.
I love this {product}.
The {product} is light, quiet and well made.
Best {product} that I have ever had.
After three months the {product} still looks like new.
The {product} was easy to set up and has never let me down.
My whole family enjoys the {product}.
The {product} is worth every cent.
What a beautiful {product}; my friends all ask where I got it.
I was sceptical, but this {product} won me over.
The {product} arrived early and is better than in the picture.
This {product} makes my mornings so much easier.
A solid {product} at a fair price."""
_MORE_POSITIVE = """I would buy it again at once.
Highly recommended.
Five stars from me.
I am very happy with it.
A pleasure to use every day.
My sister has ordered one, too.
Great quality.
It feels solid and safe.
The support was friendly and quick.
I could not ask for more."""
_NEGATIVE = """The {product} broke after two days.
I regret that I bought this {product}.
The {product} is loud, heavy and badly made.
Worst {product} that I have ever had.
After three weeks the {product} fell apart.
The {product} never worked, not even on the first day.
Nobody in my family wants to use the {product}.
The {product} is a waste of money.
What an ugly {product}; it looks nothing like the picture.
I had hoped for more, and this {product} let me down.
The {product} arrived late and scratched.
This {product} smells of plastic and leaks.
A flimsy {product} at a shameless price."""
_MORE_NEGATIVE = """I sent it back at once.
Stay away from it.
One star is too much.
I am very disappointed.
It annoys me every day.
My sister has returned hers, too.
Poor quality.
It feels cheap and unsafe.
The support was rude and slow.
I want my money back."""
_ORDERS = """My order {order} has not come yet.
Please cancel order {order}, I do not need the {product} any more.
I placed order {order} on {day} and have heard nothing since.
The {product} of order {order} came broken.
Can you change the address of {order} to Mill Lane {small}?
It is about {order}: the {product} is missing.
Order {order} was to be here on {day}.
I paid {money} for {order}, and the bill says something else.
There were {small} pieces in {order}, and I had asked for one more.
The {product} with the article number {other} is missing from my order {order}.
My order is {order}; the invoice {other} belongs to somebody else.
The invoice {other} is paid, but order {order} is still marked as open.
Ticket {other} was closed, and the {product} of order {order} still does not work.
You can reach me at {phone} about order {order}.
I want to return the {product} that I got with order {order}."""


@dataclass(frozen=True)
class Item:
    """A text, and the only right answer to what is asked about it."""

    text: str
    answer: str


@dataclass(frozen=True)
class Kind:
    """Items of which the same is asked."""

    name: str
    form: str
    """The grammar that answers have to fit: what is no answer at all is not counted, the wrong one is."""
    make: Callable[[random.Random], Item]


def drawn(kind: Kind, bank: int, rest: int) -> tuple[list[Item], list[Item]]:
    """Draw so many items for the bank and so many others that no experiment sees, all different."""
    found = _different(kind, random.Random(f"{SEED} {kind.name}"))
    rest_items = [next(found) for _ in range(rest)]
    return [next(found) for _ in range(bank)], rest_items


def _different(kind: Kind, dice: random.Random) -> Iterator[Item]:
    seen: set[str] = set()
    while True:
        item = kind.make(dice)
        if item.text not in seen:
            seen.add(item.text)
            yield item


def _routed(dice: random.Random) -> Item:
    label = dice.choice(list(_QUEUES))
    return Item(_letter(dice, _filled(dice, dice.choice(_QUEUES[label].splitlines()))), f"This is about a {label}.")


def _felt(dice: random.Random) -> Item:
    label, (first, more) = dice.choice(list(_FEELINGS.items()))
    words = [_filled(dice, dice.choice(first.splitlines())), dice.choice(more.splitlines())]
    return Item(" ".join(words if dice.random() < 0.7 else words[::-1]), label)


def _ordered(dice: random.Random) -> Item:
    order = _number(dice)
    return Item(_letter(dice, _filled(dice, dice.choice(_ORDERS.splitlines()), order)), f"order {order}")


def _letter(dice: random.Random, words: str) -> str:
    return " ".join(filter(None, (dice.choice(_OPENINGS.splitlines()), words, dice.choice(_CLOSINGS.splitlines()))))


def _filled(dice: random.Random, words: str, order: str = "") -> str:
    return words.format(
        product=dice.choice(_PRODUCTS),
        day=dice.choice(_DAYS),
        money=f"{dice.randint(3, 240)} euros",
        small=dice.randint(2, 90),
        phone=f"0{dice.randint(100, 999)} {dice.randint(100000, 999999)}",
        other=_number(dice),
        order=order,
    )


def _number(dice: random.Random) -> str:
    return str(dice.randint(10000, 99999))


_QUEUES = {"payment": _PAYMENT, "defect": _DEFECT, "password": _PASSWORD, "delivery": _DELIVERY}
_FEELINGS = {"positive": (_POSITIVE, _MORE_POSITIVE), "negative": (_NEGATIVE, _MORE_NEGATIVE)}
KINDS = {
    kind.name: kind
    for kind in (
        Kind("sentiment", 'root ::= "positive" | "negative"', _felt),
        Kind("routing", 'root ::= "This is about a " ("payment" | "defect" | "password" | "delivery") "."', _routed),
        Kind("extraction", 'root ::= "order " [0-9]{5}', _ordered),
    )
}
